import { splitFlags } from './dockerfile-lines.ts'
import { argumentPairs } from './dockerfile-words.ts'
import type { Dockerfile, ReadInstruction } from './read-dockerfile.ts'

/** Flags that the classic builder does not know, by instruction. */
const newFlags: Readonly<Record<string, RegExp>> = {
  RUN: /^(mount|network|security)\b/i,
  COPY: /^(link|chmod|exclude|parents|checksum|keep-git-dir)\b/i,
  ADD: /^(link|chmod|exclude|parents|checksum|keep-git-dir)\b/i,
  FROM: /^platform=/i,
}

const platform = /^(TARGET|BUILD)(PLATFORM|OS|ARCH|VARIANT)$/i

/**
 * Returns whether a Dockerfile uses what BuildKit supports and the classic builder refuses or
 * misreads.
 */
export const needsBuildKit = ({ readings }: Dockerfile): boolean =>
  readings.some((instructions) => instructions.some(isNew))

function isNew(instruction: ReadInstruction): boolean {
  const { flags, rest } = splitFlags(instruction)
  if (instruction.hasHeredoc) return true
  if (instruction.word === 'ARG') return argumentPairs(rest).some(([name]) => platform.test(name))
  const known = newFlags[instruction.word]
  return known !== undefined && flags.some((flag) => known.test(flag))
}
