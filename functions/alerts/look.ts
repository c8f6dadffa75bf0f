import { type KeepLookingPorts, keepLooking } from '../core/alerts/keep-looking.ts'
import { schedule } from '../kit/schedule.ts'

export default schedule({
  summary: 'Samples hosts and their containers and evaluates the alert rules',
  everySeconds: 5,
  run: (ports: KeepLookingPorts, signal) => keepLooking(ports, signal),
})
