import { z } from 'zod'
import { instantOrNull } from '../core/access/fields.ts'
import { Time } from './params.ts'

/** What a source says of a revision, as fields of an object of the API. */
export const aboutFields = {
  author: z.string().nullable().describe('Its author; `null` if the source does not say'),
  subject: z.string().nullable().describe('Its title; `null` if the source does not say'),
  made_at: Time.nullable().describe('When it was made; `null` if the source does not say'),
}

interface About {
  author?: string | undefined
  subject?: string | undefined
  /** Milliseconds since the epoch. */
  madeAt?: number | undefined
}

/** Returns what a source says of a revision in the API's form. */
export const aboutView = ({ author, subject, madeAt }: About) => ({
  author: author ?? null,
  subject: subject ?? null,
  made_at: instantOrNull(madeAt ?? null),
})
