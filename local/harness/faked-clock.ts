import { execFileSync } from 'node:child_process'

const library = 'ls /usr/lib/*/faketime/libfaketimeMT.so.1'

/**
 * The environment of a program whose wall clock is wrong, by Debian's libfaketime; add `FAKETIME`,
 * such as `+40d`. Its monotonic clock, by which it waits, is right.
 */
export const fakedClock = {
  LD_PRELOAD: execFileSync('sh', ['-c', library], { encoding: 'utf8' }).trim(),
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
}
