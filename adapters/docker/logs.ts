import type { LogLine, LogOptions } from '../../functions/core/engine/engine.ts'
import { invalid } from '../../functions/core/errors.ts'
import type { EngineClient } from './client.ts'
import { frames } from './frames.ts'
import { checkedId } from './ids.ts'

/** Longer lines are cut into several: a container may print without ever ending a line. */
const lineBytesMax = 1024 * 1024

/** Past lines of a container, oldest first, at most `tail`. Knows both forms: multiplexed, and raw of one with a terminal. */
export async function readLogs(
  client: EngineClient,
  id: string,
  options: LogOptions,
): Promise<LogLine[]> {
  const path = `/containers/${checkedId('container', id)}`
  const { Config } = await client.json({ method: 'GET', path: `${path}/json` })
  const response = await client.stream({
    method: 'GET',
    path: `${path}/logs`,
    query: {
      stdout: true,
      stderr: true,
      timestamps: true,
      tail: options.tail,
      since: options.since === undefined ? undefined : sinceSeconds(options.since),
    },
  })
  const lines = lineCollector(options.tail)
  if (Config.Tty) {
    for await (const chunk of response) lines.add('stdout', chunk)
  } else {
    for await (const { stream, data } of frames(response)) lines.addMessage(stream, data)
  }
  return lines.end()
}

/** The Engine takes seconds with nanoseconds as a fraction; RFC 3339 is turned into that. Throws a `Failure` 400. */
export function sinceSeconds(since: string): string {
  if (/^\d+(\.\d{1,9})?$/.test(since)) return since
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/.exec(since)
  const milliseconds = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN
  if (Number.isNaN(milliseconds)) {
    throw invalid(`since: ${JSON.stringify(since)} is neither RFC 3339 nor seconds since the epoch`)
  }
  return `${milliseconds / 1000}.${(match?.[2] ?? '').padEnd(9, '0')}`
}

type Stream = LogLine['stream']

/** Joins what the Engine split and keeps the last lines. */
function lineCollector(tail: number) {
  const open: Record<Stream, Buffer[]> = { stdout: [], stderr: [] }
  const kept: LogLine[] = []

  function finish(stream: Stream): void {
    const bytes = Buffer.concat(open[stream])
    open[stream] = []
    const text = bytes.toString('utf8').replace(/\r?\n$/, '')
    const space = text.indexOf(' ')
    kept.push({ stream, time: text.slice(0, Math.max(space, 0)), line: text.slice(space + 1) })
    // Cut in bulk: one shift per line would be slow for long logs.
    if (kept.length > 2 * tail + 64) kept.splice(0, kept.length - tail)
  }

  /** Bytes of one message, or of a raw stream: every newline ends a line. */
  function add(stream: Stream, data: Buffer): void {
    let offset = 0
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, offset)) {
      open[stream].push(data.subarray(offset, end + 1))
      offset = end + 1
      finish(stream)
    }
    if (offset < data.length) open[stream].push(data.subarray(offset))
    if (open[stream].reduce((sum, part) => sum + part.length, 0) > lineBytesMax) finish(stream)
  }

  return {
    add,
    /** A message has a time stamp of its own also when it goes on with a line that the Engine had to split. */
    addMessage(stream: Stream, data: Buffer): void {
      const goesOn = open[stream].length > 0
      add(stream, goesOn ? data.subarray(data.indexOf(32) + 1) : data)
    },
    end(): LogLine[] {
      for (const stream of ['stdout', 'stderr'] as const)
        if (open[stream].length > 0) finish(stream)
      return kept.slice(Math.max(0, kept.length - tail))
    },
  }
}
