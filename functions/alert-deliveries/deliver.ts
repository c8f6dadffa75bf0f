import { type DeliverPorts, deliverAlerts } from '../core/alerts/deliver.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Sends alerts to their channels, and again what did not arrive',
  everySeconds: 2,
  run: (ports: DeliverPorts) => deliverAlerts(ports),
})
