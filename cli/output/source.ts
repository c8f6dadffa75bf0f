import type { Source } from '../api/types.ts'
import type { Printer } from './print.ts'
import { clean } from './text.ts'
import { moment } from './units.ts'

/** Prints a source with what the service last saw of it. */
export function showSource(source: Source, print: Printer): void {
  const { last_error: error } = source
  print.facts({
    name: source.name,
    url: source.url,
    ref: source.ref,
    user: source.username ?? undefined,
    'public key': source.public_key ?? undefined,
    'host key': source.host_key ?? undefined,
    'age recipient': source.age_recipient ?? undefined,
    'looks every': everyText(source),
    'acts as': source.acts_as ?? undefined,
    revision: source.revision ?? undefined,
    'last look': moment(source.last_looked_at),
    'next look': moment(source.next_look_at),
    error: error ? `${error.reason}: ${clean(error.message)}` : undefined,
  })
}

/** Returns how often a source is looked at. */
export const everyText = ({ look_every_seconds: every }: Pick<Source, 'look_every_seconds'>) =>
  every === null ? 'off' : `${every} s`
