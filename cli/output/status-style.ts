import type { Style } from './paint.ts'

const styles = new Map<string, Style>(
  Object.entries({
    running: 'green',
    completed: 'green',
    healthy: 'green',
    succeeded: 'green',
    online: 'green',
    current: 'green',
    done: 'green',
    newer: 'cyan',
    deploying: 'cyan',
    starting: 'cyan',
    pending: 'cyan',
    partial: 'yellow',
    restarting: 'yellow',
    paused: 'yellow',
    interrupted: 'yellow',
    unknown: 'yellow',
    failed: 'red',
    blocked: 'red',
    unhealthy: 'red',
    dead: 'red',
    missing: 'red',
    offline: 'red',
    revoked: 'red',
    stopped: 'dim',
    not_deployed: 'dim',
    exited: 'dim',
    inactive: 'dim',
  }),
)

/** Returns the colour of an alert's severity. */
export const severityStyle = (severity: string): Style | undefined =>
  severity === 'critical' ? 'red' : severity === 'warning' ? 'yellow' : undefined

/** Returns the colour of a status word, if it has one. */
export function statusStyle(status: string): Style | undefined {
  return styles.get(status.split(' ')[0] ?? '')
}
