/*
 * The lock of a bucket (src/storage/), for Spin. Two publishers, each of which may take the lock from the other, stop at
 * any step for any time, or end; and a network that carries each write late, never, or twice.
 *
 * Bounds: two publishers that try TRIES times each, one write of each on its way, whole units of time. Time only passes,
 * and every counter of it has an end, so all schedules within these bounds are checked.
 *
 * What stands for what:
 *   number   the last entry of the log      src/storage/lock-log.ts, created only if it is the next
 *   asked    when a beat was sent           src/storage/lock-log-writer.ts, before it arrives
 *   age      of the last beat of each       by the store's clock
 *   permit   the permit of a holder         src/storage/lock-handle.ts, from a beat that counts
 *   ttl      X-Amz-Expires                  src/storage/lock-log-writer.ts, SIGNATURE_LIFETIME
 *   quiet    of an end                      src/storage/lock-log-writer.ts, after a write without an answer
 *   begun    the survey                     src/publish/publish.ts
 *
 * A bug is planted by -D, and has to be found: see publish.deep.test.ts.
 */
#ifndef TRIES
#define TRIES 2
#endif
#define PERMIT 2
#define SIGNATURE_LIFETIME 1
#define QUIET (PERMIT + SIGNATURE_LIFETIME)

byte number, begun, quiet;
/* Signs of life since the last end are waited for. */
bool unended[2];
byte age[2] = QUIET, permit[2], asked[2];
/* A write on its way: for how long the store takes it, and by which begin it was sent. */
bool flying[2], answered[2];
byte ttl[2], sent[2];

#define down(counter) if :: counter > 0 -> counter-- :: else fi
#define land(i) flying[i] = false; ttl[i] = 0; sent[i] = 0
/* Promise 3: nobody changes anything after the next holder has looked. */
#define effect(i) assert(sent[i] >= begun)

inline passes(i) {
  down(permit[i]); down(asked[i]);
  if :: age[i] < QUIET -> age[i]++ :: else fi;
#ifndef NO_EXPIRY
  if
  :: flying[i] -> down(ttl[i]); if :: ttl[i] == 0 -> land(i) :: else fi
  :: else
  fi
#endif
}

inline carries(i) {
  if
  :: effect(i); land(i); answered[i] = true
  :: effect(i); land(i)
  :: effect(i)
  :: land(i)
  fi
}

/* The clock and the network. */
active proctype World() {
end:
  do
  :: atomic { passes(0); passes(1); down(quiet) }
  :: atomic { flying[0] -> carries(0) }
  :: atomic { flying[1] -> carries(1) }
  od
}

/* A beat, then a look: it counts if no entry follows. */
inline beat() {
  asked[me] = PERMIT;
#ifdef LOOK_FIRST
  won = (number == mine);
  age[me] = 0;
#else
  age[me] = 0;
  won = (number == mine);
#endif
  if
#ifdef PERMIT_FROM_ANSWER
  :: won -> permit[me] = PERMIT
#else
  :: won -> permit[me] = asked[me]
#endif
  :: else -> goto lost
  fi
}

proctype Publisher(byte me) {
  byte tries, seen, mine;
  bool won, sure, over;
again:
  if :: tries == TRIES -> goto done :: else -> tries++ fi;
  /* Whoever comes again is another holder, which waits for this one too. */
  !unended[me] || age[me] == QUIET;
  seen = number;
#ifdef BEAT_READ_FIRST
  over = (!unended[1 - me] || age[1 - me] == QUIET);
#endif
  /* The next entry, only if it is absent. */
  atomic {
#ifdef UNCONDITIONAL
    won = true;
#else
    won = (number == seen);
#endif
    if :: won -> mine = seen + 1; number = mine; unended[me] = true :: else fi
  }
  if :: won :: else -> goto again fi;
  beat();
#ifndef NO_WAIT
#ifdef BEAT_READ_FIRST
  over || (age[1 - me] == QUIET);
#else
  !unended[1 - me] || age[1 - me] == QUIET;
#endif
  quiet == 0;
#endif
  beat();
  atomic { begun = (mine > begun -> mine : begun) }
  sure = true;
  if
  :: goto done
  :: atomic {
#ifndef NO_CHECK
      permit[me] > 0 &&
#endif
      !flying[me] ->
      flying[me] = true; answered[me] = false; sent[me] = mine; ttl[me] = SIGNATURE_LIFETIME
    };
    if
    :: answered[me]
    /* No answer: it may still arrive. */
    :: sure = false
    fi
  fi;
  /* The end, only if it is the next. */
  atomic {
    if
    :: number == mine ->
      number = mine + 1; unended[0] = false; unended[1] = false;
#ifndef UNSURE_FORGOTTEN
      quiet = (sure -> 0 : SIGNATURE_LIFETIME)
#endif
    :: else
    fi
  }
  goto again;
lost:
  permit[me] = 0;
  goto again;
done:
  skip
}

init {
  atomic { run Publisher(0); run Publisher(1) }
}
