import { Failure } from '../../../functions/core/errors.ts'
import { DeadlineExceeded } from '../responses/errors.ts'
import type { EngineCall } from './call.ts'
import type { EngineClient } from './client.ts'

/** How long a change may take. Milliseconds. */
export interface Patience {
  /** At most, on an Engine that responds to others. */
  most: number
  /** For the response that shows this. */
  ping: number
  /** For reads that have no deadline of their own. */
  read: number
}

/** On a busy machine an Engine starts a container in minutes, and locks it meanwhile. */
const usual: Patience = { most: 900_000, ping: 30_000, read: 30_000 }

/** A client for the calls of a step, and what it noticed. */
export interface PatientClient {
  client: EngineClient
  /** Returns a warning if changes took longer than their deadlines. */
  warnings(): string[]
}

/**
 * Returns a client whose changes may take longer than their deadlines while the Engine responds: it
 * would complete them anyway, and the caller would take them for failed.
 */
export function patientClient(client: EngineClient, patience = usual): PatientClient {
  let longest = 0

  async function goesOn(taken: number): Promise<boolean> {
    if (taken >= patience.most) return false
    try {
      await client.text({ method: 'GET', path: '/_ping', deadline: patience.ping })
      return true
    } catch (error) {
      if (error instanceof Failure) return false
      throw error
    }
  }

  async function change<T>(call: EngineCall): Promise<T> {
    const started = performance.now()
    let isSlow = false
    const noticed = (taken: number) => {
      isSlow = true
      return goesOn(taken)
    }
    try {
      return await client.json<T>({ ...call, goesOn: noticed })
    } catch (error) {
      throw slowFailure(error) ?? error
    } finally {
      if (isSlow) longest = Math.max(longest, performance.now() - started)
    }
  }

  const json = <T>(call: EngineCall): Promise<T> =>
    call.method === 'GET'
      ? client.json<T>({ ...call, deadline: call.deadline ?? patience.read })
      : change(call)
  const patient: EngineClient = Object.assign(Object.create(client), { json })
  return {
    client: patient,
    warnings() {
      const seconds = Math.round(longest / 1000)
      return longest > 0 ? [`host ${client.host} is slow: its Engine took ${seconds} s`] : []
    },
  }
}

/** Returns the failure of a change that the Engine may still complete. */
function slowFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Failure) || !(error.cause instanceof DeadlineExceeded)) return undefined
  const { status, message, reason } = error
  const more = 'the host is slow or overloaded, and may still do it: look at the status later'
  return new Failure(status, `${message}: ${more}`, { ...(reason && { reason }), cause: error })
}
