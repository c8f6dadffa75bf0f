import type { Planner } from './plan.ts'
import { planBackup } from './planners/backup.ts'
import { planCancelDeployment, planCancelOperation } from './planners/cancel.ts'
import { planContainer } from './planners/container.ts'
import { planDeploy, planRollback } from './planners/deploy.ts'
import { planFiles } from './planners/files.ts'
import { planPrune, planPull } from './planners/images.ts'
import { planScale, planServices } from './planners/services.ts'

/** The planners of changes, by the names that `openapi/tool-decisions.ts` uses. */
export const planners: ReadonlyMap<string, Planner> = new Map([
  ['deploy', planDeploy],
  ['rollback', planRollback],
  ['files', planFiles],
  ['services', planServices],
  ['scale', planScale],
  ['container', planContainer],
  ['pull', planPull],
  ['prune', planPrune],
  ['backup', planBackup],
  ['cancel-deployment', planCancelDeployment],
  ['cancel-operation', planCancelOperation],
])
