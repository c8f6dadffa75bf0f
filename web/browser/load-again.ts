/** Milliseconds before the second try. */
const pause = 700

/**
 * Loads something. A load that fails is tried once more, unless it was aborted: browsers drop
 * requests when a network appears, as one of a new container on their own machine.
 */
export const loadAgain = <T>(load: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
  load().catch(async (error) => {
    if (signal?.aborted) throw error
    await new Promise((resolve) => setTimeout(resolve, pause))
    return load()
  })
