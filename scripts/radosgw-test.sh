#!/bin/sh
# Runs the tests of publishing against Ceph's S3 server instead of the local one of R2: one monitor, one OSD that
# keeps its objects in memory, one gateway, all in a temporary folder and gone at the end.
#
# Needs, on Debian: apt-get install --no-install-recommends ceph-mon ceph-osd radosgw
#
#   scripts/radosgw-test.sh                    the tests of buckets, locks and publishes
#   scripts/radosgw-test.sh test/publish       whatever is named
set -eu

for program in ceph ceph-mon ceph-osd monmaptool radosgw radosgw-admin; do
  command -v "$program" >/dev/null || {
    echo "There is no $program. Install the Debian packages ceph-mon, ceph-osd and radosgw." >&2
    exit 2
  }
done
npm run --silent compile
[ $# -gt 0 ] || set -- test/storage/bucket.test.ts test/publish/publishers.test.ts test/publish/publish.test.ts

work=$(mktemp -d /tmp/radosgw-XXXXXX)
monitor=${RADOSGW_MONITOR_PORT:-40789}
gateway=${RADOSGW_PORT:-40788}
started=''
clean() {
  for pid in $started; do kill "$pid" 2>/dev/null || true; done
  for pid in $started; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM

cluster=$(cat /proc/sys/kernel/random/uuid)
osd=$(cat /proc/sys/kernel/random/uuid)
cat >"$work/ceph.conf" <<END
[global]
fsid = $cluster
mon host = [v2:127.0.0.1:$monitor/0]
keyring = $work/keyring
run dir = $work
log file = $work/\$name.log
admin socket = $work/\$name.sock
pid file = $work/\$name.pid
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail warn = 1
mon data avail crit = 1
[mon.a]
mon data = $work/mon
[osd.0]
osd data = $work/osd
osd objectstore = memstore
memstore device bytes = 2147483648
[client.rgw]
rgw data = $work/rgw
rgw frontends = beast endpoint=127.0.0.1:$gateway
rgw enable usage log = false
END
export CEPH_CONF="$work/ceph.conf"
mkdir "$work/mon" "$work/osd" "$work/rgw"

echo "Starting Ceph in $work"
entity() {
  name=$1
  shift
  ceph-authtool "$work/keyring" --gen-key --name "$name" "$@" >/dev/null
}
ceph-authtool --create-keyring "$work/keyring" >/dev/null
entity mon. --cap mon 'allow *'
entity client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
entity client.rgw --cap mon 'allow rw' --cap osd 'allow rwx'
entity osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
monmaptool --create --fsid "$cluster" --addv a "[v2:127.0.0.1:$monitor/0]" "$work/monmap" >/dev/null
ceph-mon --id a --mkfs --monmap "$work/monmap" --keyring "$work/keyring" >/dev/null
ceph-mon --id a --foreground >"$work/mon.out" 2>&1 &
started="$started $!"
ceph --connect-timeout 60 osd new "$osd" >/dev/null
ceph-osd --id 0 --mkfs --osd-uuid "$osd" >/dev/null 2>&1
ceph-osd --id 0 --foreground >"$work/osd.out" 2>&1 &
started="$started $!"
attempt=0
until ceph osd stat | grep -q '1 up'; do
  attempt=$((attempt + 1))
  [ "$attempt" -lt 60 ] || {
    cat "$work/osd.out" >&2
    exit 3
  }
  sleep 1
done
radosgw --name client.rgw --foreground >"$work/rgw.out" 2>&1 &
started="$started $!"
radosgw-admin --name client.rgw user create --uid tester --display-name Tester \
  --access-key test-key --secret-key test-secret >/dev/null
attempt=0
until node -e "fetch('http://127.0.0.1:$gateway').then(() => process.exit(0), () => process.exit(1))"; do
  attempt=$((attempt + 1))
  [ "$attempt" -lt 60 ] || {
    cat "$work/rgw.out" >&2
    exit 3
  }
  sleep 1
done
radosgw --version

CATALOGUE_TEST_S3="http://127.0.0.1:$gateway" npx vitest run "$@"
