import type { z } from 'zod'
import { instant, instantOrNull } from '../../core/access/fields.ts'
import type { StackHook as HookRecord } from '../../core/records/stack-hook.ts'
import { hookPath, isWaiting } from '../../core/stack-hooks/hook-record.ts'
import { prefix } from '../../kit/location.ts'
import type { StackHook, StackHookSecret } from './schema.ts'

/** Returns a hook in the API's form, without its secret. */
export const hookView = (hook: HookRecord, blocked: string | null): z.input<typeof StackHook> => ({
  path: `${prefix}/hooks/${hookPath(hook)}`,
  acts_as: hook.actsAs.username,
  blocked,
  created_at: instant(hook.createdAt),
  is_waiting: isWaiting(hook),
  accepted_at: instantOrNull(hook.acceptedAt),
  last_refused: hook.lastRefused && {
    at: instant(hook.lastRefused.at),
    reason: hook.lastRefused.reason,
  },
  last_deployment: hook.lastDeployment && {
    at: instant(hook.lastDeployment.at),
    deployment_id: hook.lastDeployment.deploymentId,
    error: hook.lastDeployment.error,
  },
})

/** Returns a hook that was just made, with its secret. */
export const madeHookView = (hook: HookRecord): z.input<typeof StackHookSecret> => ({
  ...hookView(hook, null),
  secret: hook.secret,
})
