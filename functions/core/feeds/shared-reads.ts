import { ignoreResult } from '../promises.ts'

/**
 * Returns a function that shares reads with the same key among callers that come close together. No
 * read begins before its callers asked for it: callers that come while one runs share the next one.
 */
export function sharedReads() {
  const running = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<unknown>>()

  function begin<T>(key: string, read: () => Promise<T>): Promise<T> {
    const result = read()
    const over = result.then(ignore, ignore).then(() => {
      if (running.get(key) === over) running.delete(key)
    })
    running.set(key, over)
    return result
  }

  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const awaited = next.get(key)
    if (awaited) return awaited as Promise<T>
    const before = running.get(key)
    if (!before) return begin(key, read)
    const result = before.then(() => {
      next.delete(key)
      return begin(key, read)
    })
    next.set(key, result)
    ignoreResult(result)
    return result
  }
}

const ignore = () => {}
