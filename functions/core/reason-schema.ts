import { z } from 'zod'
import { reasonNames } from './errors.ts'

/** Why something failed, for programs. */
export const Reason = z
  .enum(reasonNames)
  .meta({ id: 'Reason', description: 'Why a request failed, for programs; see `X-Error-Reason`' })
