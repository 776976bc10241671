/*
 * The lease of a bucket (src/storage/), for Spin. Two publishers, each of which may break the lease of the other, stop at
 * any step for any time, or end; and a network that carries each write late, never, or twice.
 *
 * Bounds: two publishers that try TRIES times each, one write of each on its way, whole
 * units of time. Time only passes, and every counter of it has an end, so all schedules within these bounds are checked.
 *
 * What stands for what:
 *   permit   remaining() of a Limit         src/storage/holder.ts, counted from before a renewal is asked for
 *   ttl      X-Amz-Expires                  src/storage/s3/signature.ts, at most the rest of the permit
 *   age      Date minus Last-Modified       src/storage/lease-record.ts, no clock of a publisher
 *   fresh    the tag that was read          src/storage/holder.ts: no two records are the same, so neither are their tags
 *   quiet    the wait of a takeover         src/storage/challenge.ts, quietTime
 *   settled  no attempt without an answer   src/storage/retry.ts, unsettled
 *   begun    the survey                     src/publish/publish.ts, bring
 *
 * A bug is planted by -D, and has to be found: see publish.deep.test.ts.
 */
#ifndef TRIES
#define TRIES 2
#endif
#define LIFE 2
#define DURATION 4

byte epoch, age = DURATION, begun;
bool held, settled = true;

/* Whether the lease is still the one that each has seen. */
bool fresh[2];
byte permit[2], asked[2], quiet[2];
/* A write on its way: for how long the store takes it, and in which epoch it was sent. */
bool flying[2], answered[2];
byte ttl[2], sent[2];

inline effect(i) {
  /* Promise 3: nobody changes anything after the next holder has looked. */
  assert(sent[i] >= begun);
}

/* The network and the clock. */
active proctype World() {
  byte i;
end:
  do
  :: atomic {
      /* Time passes for all; a counter that has run out stays where it is. */
      if :: age < DURATION -> age++ :: else fi;
      i = 0;
      do
      :: i < 2 ->
        if :: permit[i] > 0 -> permit[i]-- :: else fi;
        if :: asked[i] > 0 -> asked[i]-- :: else fi;
        if :: quiet[i] > 0 -> quiet[i]-- :: else fi;
        if
        :: flying[i] ->
#ifndef NO_EXPIRY
          if :: ttl[i] > 0 -> ttl[i]-- :: else fi;
          if :: ttl[i] == 0 -> flying[i] = false; sent[i] = 0 :: else fi
#else
          skip
#endif
        :: else
        fi;
        i++
      :: else -> break
      od;
      i = 0
    }
  /* A write arrives, and its answer with it, or without. */
  :: atomic { flying[0] -> effect(0); flying[0] = false; ttl[0] = 0; sent[0] = 0; answered[0] = true }
  :: atomic { flying[0] -> effect(0); flying[0] = false; ttl[0] = 0; sent[0] = 0 }
  :: atomic { flying[0] -> effect(0) }
  :: atomic { flying[1] -> effect(1); flying[1] = false; ttl[1] = 0; sent[1] = 0; answered[1] = true }
  :: atomic { flying[1] -> effect(1); flying[1] = false; ttl[1] = 0; sent[1] = 0 }
  :: atomic { flying[1] -> effect(1) }
  :: atomic { flying[0] -> flying[0] = false; ttl[0] = 0; sent[0] = 0 }
  :: atomic { flying[1] -> flying[1] = false; ttl[1] = 0; sent[1] = 0 }
  od
}

/* Replaces the lease if it is still the one that was seen. */
inline swap(isHeld, isSettled) {
  atomic {
#ifdef UNCONDITIONAL
    won = true;
#else
    won = fresh[me];
#endif
    if
    :: won ->
      fresh[me] = true; fresh[1 - me] = false; held = isHeld; settled = isSettled; age = 0
    :: else
    fi
  }
}

inline renew() {
  asked[me] = LIFE;
  swap(true, true);
  if
  :: won ->
#ifdef PERMIT_FROM_ANSWER
    permit[me] = LIFE
#else
    permit[me] = asked[me]
#endif
  :: else -> goto lost
  fi
}

proctype Publisher(byte me) {
  byte tries, number, mine;
  bool won, sure;
again:
  if :: tries == TRIES -> goto over :: else -> tries++ fi;
  atomic {
    fresh[me] = true;
#ifdef NO_WAIT
    quiet[me] = 0;
#else
    quiet[me] = ((held || !settled) -> (LIFE > age -> LIFE - age : 0) : 0);
#endif
    /* Breaking a lease that lives is a choice, as is giving up. */
    won = (!held || age == DURATION)
  }
  if
  :: won
  :: !won -> skip
  :: !won -> goto again
  fi;
  asked[me] = LIFE;
  atomic {
#ifdef UNCONDITIONAL
    won = true;
#else
    won = fresh[me];
#endif
    if
    :: won -> fresh[me] = true; fresh[1 - me] = false; held = true; settled = true; age = 0; epoch++; mine = epoch
    :: else
    fi
  }
  if :: won -> permit[me] = asked[me] :: else -> goto again fi;
  quiet[me] == 0;
  renew();
  atomic { begun = (mine > begun -> mine : begun) }
  sure = true;
  number = 0;
  do
  :: number < 1 ->
    if
    :: permit[me] > 0 && !flying[me] ->
      atomic {
        if
#ifndef NO_CHECK
        :: permit[me] > 0 ->
#else
        :: true ->
#endif
          flying[me] = true; answered[me] = false; sent[me] = mine;
#ifdef TTL_OF_LEASE
          ttl[me] = DURATION
#else
          ttl[me] = permit[me]
#endif
#ifndef NO_CHECK
        :: else
#endif
        fi
      }
      if
      :: answered[me] -> number++; answered[me] = false
      /* No answer: it is sent again, and may still arrive. */
      :: sure = false
      fi
    :: renew()
    fi
  :: number < 1 -> goto over
  :: else -> break
  od;
  swap(false, sure);
  goto again;
lost:
  permit[me] = 0;
  goto again;
over:
  skip
}

init {
  atomic { run Publisher(0); run Publisher(1) }
}
