/** Hugo: one content file a country, so that it renders on all cores, whose template publishes the JSON files. */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from './peer.ts';

const CONFIGURATION = `baseURL = "https://catalogue.example/"
disableKinds = ["home", "section", "taxonomy", "term", "RSS", "sitemap", "robotsTXT", "404"]
`;

/** The sequence, with each summary serialised once, and the entries of each city. */
const SEQUENCE = `{{- $entries := slice -}}
{{- range site.Data.properties -}}
  {{- range . -}}
    {{- $summary := dict "id" .id "title" .title "city" .city "country" .country "thumbnail" nil -}}
    {{- $key := printf "%s\\t%s\\t%s\\t%s" .country .city .title .id -}}
    {{- $entries = $entries | append (dict "key" $key "country" .country "city" .city "property" . "text" (jsonify $summary)) -}}
  {{- end -}}
{{- end -}}
{{- $scratch := newScratch -}}
{{- range sort $entries "key" -}}
  {{- $scratch.Add "all" (slice .) -}}
  {{- $scratch.Add (print "city " .city) (slice .) -}}
{{- end -}}
{{- return $scratch.Values -}}
`;

/** All pages of a scope, in stretches of a thousand: Hugo counts no further than to two thousand at once. */
const SCOPE = `{{- $texts := slice -}}
{{- range .entries -}}{{- $texts = $texts | append .text -}}{{- end -}}
{{- $total := len $texts -}}
{{- $folder := .folder -}}
{{- range $size := seq 100 -}}
  {{- $pages := int (math.Ceil (div (float $total) $size)) -}}
  {{- range $thousand := seq 0 (div (sub $pages 1) 1000) -}}
  {{- range $page := seq (add (mul $thousand 1000) 1) (math.Min $pages (mul (add $thousand 1) 1000)) -}}
    {{- $data := delimit (first $size (after (mul (sub $page 1) $size) $texts)) "," -}}
    {{- $text := printf "{\\"data\\":[%s],\\"meta\\":{\\"pagination\\":{\\"current_page\\":%d,\\"per_page\\":%d,\\"total_entries\\":%d}}}" $data $page $size $total -}}
    {{- (resources.FromString (printf "pages/%s/%d-%d.json" $folder $size $page) $text).Publish -}}
  {{- end -}}
  {{- end -}}
{{- end -}}
`;

/** The scopes and details of one country; those of everything hang on the content file without one. */
const PAGE = `{{- $sequence := partialCached "sequence.html" site -}}
{{- $country := .Params.country -}}
{{- if not $country -}}
  {{- partial "scope.html" (dict "folder" "-/-" "entries" $sequence.all) -}}
{{- else -}}
  {{- $entries := where $sequence.all "country" $country -}}
  {{- partial "scope.html" (dict "folder" (print $country "/-") "entries" $entries) -}}
  {{- range $entries -}}
    {{- $detail := dict -}}
    {{- range $name, $value := .property -}}
      {{- if ne $name "id" -}}{{- $detail = merge $detail (dict $name $value) -}}{{- end -}}
    {{- end -}}
    {{- (resources.FromString (printf "properties/%s.json" .property.id) (jsonify $detail)).Publish -}}
  {{- end -}}
  {{- $last := "" -}}
  {{- range $entries -}}
    {{- if ne .city $last -}}
      {{- $last = .city -}}
      {{- $hex := printf "%x" .city -}}
      {{- $everywhere := index $sequence (print "city " .city) -}}
      {{- partial "scope.html" (dict "folder" (print $country "/" $hex) "entries" (where $everywhere "country" $country)) -}}
      {{- if eq (index $everywhere 0).country $country -}}
        {{- partial "scope.html" (dict "folder" (print "-/" $hex) "entries" $everywhere) -}}
      {{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
`;

/** Hugo, as the distribution packages it. */
export const hugo: Peer = {
  name: 'Hugo',
  packages: [],
  against: 'build',
  cannot:
    'no validation; reads `country: NO` as false and loses Norway, and `01234` as a number; every build writes everything; holds every page in memory',
  prepare(folder, content) {
    for (const name of ['content', 'data', 'layouts/_default', 'layouts/partials']) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    cpSync(join(content, 'properties'), join(folder, 'data/properties'), { recursive: true });
    writeFileSync(join(folder, 'config.toml'), CONFIGURATION);
    writeFileSync(join(folder, 'layouts/partials/sequence.html'), SEQUENCE);
    writeFileSync(join(folder, 'layouts/partials/scope.html'), SCOPE);
    writeFileSync(join(folder, 'layouts/_default/single.html'), PAGE);
    writeFileSync(join(folder, 'content/everything.md'), '---\ntitle: everything\n---\n');
    for (const name of readdirSync(join(content, 'properties'))) {
      const country = name.toUpperCase();
      writeFileSync(
        join(folder, `content/${name}.md`),
        `---\ntitle: ${country}\ncountry: "${country}"\n---\n`,
      );
    }
  },
  command: (folder) => ({ file: 'hugo', args: ['--quiet', '--noBuildLock'], cwd: folder }),
  makes: ['public', 'resources'],
  output: 'public',
};
