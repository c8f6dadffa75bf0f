import { z } from 'zod'
import { normalName, normalNameMax } from '../records/normal-name.ts'

/** A user name that an account may have. Compared without regard to case and Unicode form. */
export const Username = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._@+-]*$/u,
    'must contain only letters, digits, spaces and . _ @ + -',
  )
  // Invisible letters and marks would make two names look the same.
  .refine(
    (name) => !/\p{Default_Ignorable_Code_Point}/u.test(name),
    'must not contain invisible characters',
  )
  // One character can expand to eighteen.
  .refine(
    (name) => normalName(name).length <= normalNameMax,
    'must be shorter: its Unicode normal form has too many characters',
  )
  .describe('1 to 64 letters, digits, spaces or . _ @ + -; not case-sensitive')

/** A password that an account may have. */
export const NewPassword = z
  .string()
  .min(8, 'must have at least 8 characters')
  .max(1024, 'must have at most 1024 characters')

/** A password sent to prove an identity. Its length is limited before it is hashed. */
export const PresentedPassword = z.string().min(1).max(1024)

/** A code of a second factor or a recovery code, sent to prove an identity. */
export const PresentedCode = z
  .string()
  .min(1)
  .max(64)
  .describe('A six-digit code of an authenticator app, or a recovery code')

/** Whether the change of a credential also ends the API tokens that were made with it. */
export const EndApiTokens = z
  .boolean()
  .describe('Also end all your API tokens, as when others may have your credentials')

/** Whether the change of a credential also deletes the passkeys, which sign in without it. */
export const EndPasskeys = z
  .boolean()
  .describe('Also delete all your passkeys, as when others may have added one; defaults to false')

/** A user name sent at login. */
export const PresentedUsername = z.string().min(1).max(256)

export const ScopeTag = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9 and -, not beginning with -')

/** The tags of the hosts that an account or token is limited to; an empty list means every host. */
export const ScopeTags = z
  .array(ScopeTag)
  .max(32)
  .overwrite((tags) => [...new Set(tags)].sort())

/** An instant in the form of the API: RFC 3339, UTC. */
export const Instant = z.iso.datetime()

/** Returns milliseconds since the epoch in the form of the API. */
export const instant = (milliseconds: number) => new Date(milliseconds).toISOString()

/** The same, but null stays null. */
export const instantOrNull = (milliseconds: number | null) =>
  milliseconds === null ? null : instant(milliseconds)
