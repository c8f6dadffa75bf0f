import type { Io } from '../io.ts'
import { answersYes } from '../prompt.ts'

/** The flag of commands that change a credential of the user. */
export const endTokensFlag = {
  '--end-tokens': 'Also end all your API tokens; without it you are asked on a terminal',
} as const

/** Returns whether to end the user's API tokens: by the flag, or asked on a terminal. */
export const endsTokens = async (io: Io, { endTokens }: { endTokens: boolean }) =>
  endTokens || (io.stdin.isTTY === true && (await answersYes(io, 'Also end all your API tokens?')))
