import { markHandled } from '../../functions/core/promises.ts'
import { paced } from './pace.ts'

/** How long `answeredFirst` tries. Milliseconds. */
const triesFor = paced(90_000)

/**
 * Returns the answer to `quick`, which must arrive while all calls of `slow` are open. Slow calls
 * may end at a deadline of their own, and on a busy machine before the answer: both are then sent
 * again. A service that lets the quick call wait for a slow one fails every time.
 *
 * ```ts
 * await answeredFirst(() => [get('/images?host=hung')], () => get('/health'))
 * ```
 */
export async function expectAnsweredFirst<T>(
  slow: () => Promise<unknown>[],
  quick: () => Promise<T>,
): Promise<T> {
  const begun = performance.now()
  for (;;) {
    let ended = 0
    const calls = slow().map((call) =>
      call.finally(() => {
        ended += 1
      }),
    )
    const all = markHandled(Promise.all(calls))
    const answer = await quick()
    const isFirst = ended === 0
    await all
    if (isFirst) return answer
    if (performance.now() - begun > triesFor) throw new Error('slow calls ended first, every time')
  }
}
