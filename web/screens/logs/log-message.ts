import type { components } from '../../data/api.types.ts'
import { serviceTime } from '../../data/clock.ts'
import { t } from '../../text/text.ts'
import type { LogLine } from './log-ring.ts'

/** A message of the feed of a container or of a stack. */
export type LogMessage =
  | components['schemas']['LogMessage']
  | components['schemas']['StackLogMessage']

/** Returns the container that a message is about; empty in the feed of one container. */
export const originOf = (message: LogMessage): string =>
  'container_id' in message ? message.container_id : ''

/** Returns the lines of a message. */
export function linesOf(message: LogMessage, name = ''): LogLine[] {
  const service = 'service' in message ? message.service : ''
  const source = [name, service].filter(Boolean).join('/')
  if ('error' in message) {
    return [
      { time: new Date(serviceTime()).toISOString(), text: message.error, source, kind: 'note' },
    ]
  }
  if ('end' in message) {
    const { exit_code: code } = message.end
    const text = code === null ? t.logs.ended : t.logs.endedWith(code)
    return [{ time: new Date(serviceTime()).toISOString(), text, source, kind: 'note' }]
  }
  const { data, time, times = [], stream } = message
  const origin = originOf(message)
  const texts = (data.endsWith('\n') ? data.slice(0, -1) : data).split('\n')
  return texts.map((text, index) => ({
    time: times[index] ?? time,
    text,
    source,
    kind: stream,
    ...(origin !== '' && { origin }),
  }))
}
