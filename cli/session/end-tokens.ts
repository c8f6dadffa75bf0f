import type { Io } from '../io.ts'
import { answersYes } from '../prompt.ts'

/** The flag of commands that change a credential of the user. */
export const endTokensFlag = {
  '--end-tokens': 'Also end all your API tokens; without it you are asked on a terminal',
} as const

/** The flag of a command that changes the password, without which passkeys sign in. */
export const endPasskeysFlag = {
  '--end-passkeys': 'Also delete all your passkeys; without it you are asked on a terminal',
} as const

/** Returns whether to end the user's API tokens: by the flag, or asked on a terminal. */
export const endsTokens = (io: Io, { endTokens }: { endTokens: boolean }) =>
  isChosen(io, endTokens, 'Also end all your API tokens?')

/** Returns whether to delete the user's passkeys: by the flag, or asked on a terminal. */
export const endsPasskeys = (io: Io, { endPasskeys }: { endPasskeys: boolean }) =>
  isChosen(io, endPasskeys, 'Also delete all your passkeys?')

const isChosen = async (io: Io, flag: boolean, question: string): Promise<boolean> =>
  flag || (io.stdin.isTTY === true && (await answersYes(io, question)))
