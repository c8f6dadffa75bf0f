import type { Subscription } from '../streams/broadcast.ts'
import type { EncodedText } from '../streams/message.ts'
import type { LogChunk } from './log-chunk.ts'

/** Returns the messages of a log, each with the times of its lines. */
export function withTimes(log: Subscription<LogChunk>): Subscription<EncodedText> {
  const timed = ({ value, done }: IteratorResult<LogChunk>): IteratorResult<EncodedText> =>
    done ? { value: undefined, done } : { value: value.withTimes(), done: false }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => log.next().then(timed),
    return: () => log.return().then(timed),
  }
}
