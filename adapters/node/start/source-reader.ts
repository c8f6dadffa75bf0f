import { SourceFailure, type SourceReader } from '../../../functions/core/ports/source-reader.ts'
import type { SourceKind } from '../../../functions/core/records/source-address.ts'

/** Returns the reader that reads each kind of source with its own. */
export function sourceReader(readers: Partial<Record<SourceKind, SourceReader>>): SourceReader {
  const readerOf = (kind: SourceKind): SourceReader => {
    const reader = readers[kind]
    if (reader) return reader
    throw new SourceFailure('unavailable', `this service cannot read sources of the kind ${kind}`)
  }
  return {
    look: async (source, signal) => readerOf(source.kind).look(source, signal),
    open: async (source, revision, wanted, signal) =>
      readerOf(source.kind).open(source, revision, wanted, signal),
  }
}
