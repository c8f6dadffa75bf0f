import type { StackSource } from '../api/types.ts'
import type { Printer } from './print.ts'
import { sourceStateText } from './source-state.ts'
import { clean } from './text.ts'
import { moment } from './units.ts'

/** Prints how a stack follows a source. */
export function showStackSource(binding: StackSource, print: Printer): void {
  const { synced, waiting, last_error: error } = binding
  print.facts({
    source: binding.source,
    path: binding.path === '' ? undefined : binding.path,
    also: binding.also.length > 0 ? binding.also.join(', ') : undefined,
    'on change': binding.on_change,
    overwrites: binding.overwrite ? 'files that were edited on the host' : undefined,
    'acts as': binding.acts_as ?? undefined,
    revision: synced ? sourceStateText(synced) : undefined,
    synced: moment(synced?.synced_at ?? null),
    'new at source': waiting ? sourceStateText(waiting) : undefined,
    'kept here': binding.kept.length > 0 ? binding.kept.join(', ') : undefined,
    'last look': moment(binding.last_looked_at),
    'next look': moment(binding.next_look_at),
    waiting: binding.is_waiting ? 'a sync or a deployment begins soon' : undefined,
    error: error ? `${clean(error.reason)}: ${clean(error.message)}` : undefined,
    'next try': error ? moment(error.next_at) : undefined,
  })
}
