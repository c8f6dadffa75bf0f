import type { SendResult } from '../../functions/core/alerts/attempt.ts'
import type { AlertTarget } from '../../functions/core/alerts/channel.ts'
import type { Notice } from '../../functions/core/alerts/notice.ts'
import type { AlertSender } from '../../functions/core/alerts/ports.ts'

/** A sender that remembers what it was given. */
export interface MemoryAlertSender extends AlertSender {
  sent: { target: AlertTarget; notice: Notice }[]
  /** What comes of sending; well unless a test says otherwise. */
  answer(target: AlertTarget): SendResult | Promise<SendResult>
}

/** Sends nowhere. */
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
