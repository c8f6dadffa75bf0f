import { ApiFailure } from '../failure.ts'
import { type FolderFiles, largest } from './folder-files.ts'

/** Makes a request with files. If it exceeds a limit, adds a hint where most of them are. */
export async function withLimitHint<T>(found: FolderFiles, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    // An older service that takes no more work now says `limit` too, with 500.
    const isTooMuch =
      error instanceof ApiFailure && error.reason === 'limit' && error.status !== 500
    if (!isTooMuch) throw error
    const hint = `most files: ${largest(found.entries.keys())}; leave some out with .dockerignore`
    throw error.reworded({ hint })
  }
}
