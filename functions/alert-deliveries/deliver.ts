import { type DeliverPorts, deliverAlerts } from '../core/alerts/deliver.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Sends alerts to their channels and retries failed deliveries',
  everySeconds: 2,
  run: (ports: DeliverPorts) => deliverAlerts(ports),
})
