import type { z } from 'zod'
import { instant } from '../../core/access/fields.ts'
import { stackHookPath } from '../../core/hooks/hook-path.ts'
import type { StackHook as HookRecord } from '../../core/records/stack-hook.ts'
import { hookFieldsView } from '../../kit/hook-fields.ts'
import type { StackHook, StackHookSecret } from './schema.ts'

/** Returns a hook in the API's form, without its secret. */
export const hookView = (hook: HookRecord, blocked: string | null): z.input<typeof StackHook> => ({
  ...hookFieldsView(hook, stackHookPath(hook), blocked),
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
