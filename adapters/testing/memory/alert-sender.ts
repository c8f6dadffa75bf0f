import type { AlertSender } from '../../../functions/core/ports/alert-sender.ts'
import type { AlertTarget } from '../../../functions/core/records/alert-channel.ts'
import type { SendResult } from '../../../functions/core/records/alert-delivery.ts'
import type { Notice } from '../../../functions/core/records/alert-notice.ts'

/** A sender that records the notices instead of sending them. */
export interface MemoryAlertSender extends AlertSender {
  sent: { target: AlertTarget; notice: Notice }[]
  /** Returns the result of sending. By default it succeeds; a test may replace this function. */
  answer(target: AlertTarget): SendResult | Promise<SendResult>
}

/** Returns a sender that sends nothing. */
export function memoryAlertSender(): MemoryAlertSender {
  const sender: MemoryAlertSender = {
    sent: [],
    answer: () => ({ ok: true, status: 200 }),
    async send(target, notice) {
      sender.sent.push({ target, notice })
      return sender.answer(target)
    },
  }
  return sender
}
