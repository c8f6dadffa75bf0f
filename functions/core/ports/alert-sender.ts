import type { AlertTarget } from '../records/alert-channel.ts'
import type { SendResult } from '../records/alert-delivery.ts'
import type { Notice } from '../records/alert-notice.ts'

/** Sends notices over the network. */
export interface AlertSender {
  /**
   * Sends once and returns the result within ten seconds. Does not throw for errors of the
   * receiver.
   */
  send(target: AlertTarget, notice: Notice): Promise<SendResult>
}
