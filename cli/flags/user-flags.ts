import { eitherOf } from './either-of.ts'

/** The flags that name an account at another server, such as a registry. */
export const userFlags = (meaning: string) =>
  ({ '--user <name>': meaning, '--username <name>': 'The same as --user' }) as const

/** What errors call the field of these flags. */
export const userFields = { username: '--user' } as const

/** Returns the name that the flags give, if any. */
export const userOf = (flags: { user: string | undefined; username: string | undefined }) =>
  eitherOf({ '--user': flags.user, '--username': flags.username })
