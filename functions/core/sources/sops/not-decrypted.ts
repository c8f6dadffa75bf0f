import { SourceFailure } from '../../ports/source-reader.ts'
import { shownPath } from '../../stacks/file-path.ts'

/** Returns the failure for a file that sops encrypted. `why` says what to do, and has no value. */
export const notDecrypted = (path: string, why: string): SourceFailure =>
  new SourceFailure('not-decrypted', `${shownPath(path)}: sops encrypted this file, ${why}`)
