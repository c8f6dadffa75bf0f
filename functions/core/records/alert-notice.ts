import type { AlertEvent } from './alert-event.ts'
import type { Severity } from './alert-rule.ts'

/** A notice: text for people and fields for programs. */
export interface Notice {
  /** The ID of the delivery, the same for every attempt. */
  id: string
  /** One line. */
  title: string
  lines: string[]
  /** The page that shows the alerts; null if the public address of the service is not known. */
  link: string | null
  severity: Severity
  state: AlertEvent['state'] | 'test'
  /** Fields of a webhook's body besides the text. */
  fields: Record<string, unknown>
}
