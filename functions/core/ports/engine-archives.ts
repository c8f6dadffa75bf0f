import type { FilePlace, FoundSockets } from '../records/host-engine.ts'
/**
 * Reads and writes all files of a place on a host. It uses only the Engine API and streams the
 * bytes without buffering.
 */
export interface EngineArchives {
  /**
   * Streams a place as a tar archive: `data/`, and below it every file with its owner, mode and
   * times. It reads only as fast as it is consumed.
   *
   * @param owner whose helpers these are; see `removeArchiveHelpers`
   * @throws 404, while reading, if the place does not exist
   */
  readArchive(place: FilePlace, owner: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  /**
   * Returns the sockets of a place, which its archive does not contain, or undefined if this host
   * cannot say it.
   *
   * @throws 404 if the place does not exist
   */
  findSockets(
    place: FilePlace,
    owner: string,
    signal: AbortSignal,
  ): Promise<FoundSockets | undefined>
  /**
   * Unpacks such an archive into a place, over the existing files. A missing directory is created.
   * If the archive throws, the call fails and leaves some of the files written.
   *
   * @throws 404 if the volume does not exist
   */
  writeArchive(
    place: FilePlace,
    archive: AsyncIterable<Uint8Array>,
    owner: string,
    signal: AbortSignal,
  ): Promise<void>
  /**
   * Deletes files, links and empty directories of a place in the given order. What cannot be
   * deleted stays.
   *
   * @param paths as in the archive (`data/…`), in UTF-8, each followed by a zero byte
   */
  clearPlace(place: FilePlace, paths: Uint8Array, owner: string, signal: AbortSignal): Promise<void>
  /** Removes the helpers that an owner left on the Engine when its process died. */
  removeArchiveHelpers(owner: string): Promise<void>
}
