/** A place on a host whose files can be had as one archive. */
export type FilePlace = { kind: 'volume'; name: string } | { kind: 'directory'; path: string }

/** Reads and writes whole places on a host, through the Engine API alone and as bytes come: nothing is held. */
export interface EngineArchives {
  /**
   * A place as one tar archive: `data/`, and below it every file with its owner, mode and times. What is not asked for is
   * not read. Reading throws a `Failure` 404 for a place that is not there. `owner` names whose work it is; see `tidyArchives`.
   */
  readArchive(place: FilePlace, owner: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  /**
   * Unpacks an archive of that form into a place, over what is there. A directory is made, a volume must be there
   * (`Failure` 404). An archive that throws ends it, with part of the files written.
   */
  writeArchive(
    place: FilePlace,
    archive: AsyncIterable<Uint8Array>,
    owner: string,
    signal: AbortSignal,
  ): Promise<void>
  /**
   * Deletes files, links and empty directories of a place in that order: paths as its archive has them (`data/…`), in UTF-8
   * with a zero byte behind each. What cannot be deleted stays.
   */
  clearPlace(place: FilePlace, paths: Uint8Array, owner: string, signal: AbortSignal): Promise<void>
  /** Removes from the Engine what reading and writing needed, of an owner whose process died over it. */
  tidyArchives(owner: string): Promise<void>
}
