import type { SourceReader } from '../../../functions/core/ports/source-reader.ts'
import type { SourceKind } from '../../../functions/core/records/source-address.ts'

/** Returns the reader that reads each kind of source with its own. */
export function sourceReader(readers: Record<SourceKind, SourceReader>): SourceReader {
  return {
    look: async (source, signal) => readers[source.kind].look(source, signal),
    open: async (source, revision, wanted, signal) =>
      readers[source.kind].open(source, revision, wanted, signal),
  }
}
