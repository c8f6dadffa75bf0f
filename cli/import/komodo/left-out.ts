import type { LeftOut, LeftOutReason } from '../peer-stack.ts'
import { defaultConfig, type KomodoConfig } from './config.ts'

const reasons: readonly (readonly [field: keyof KomodoConfig, reason: LeftOutReason])[] = [
  ['links', 'display-only'],
  ['pre_deploy', 'command'],
  ['post_deploy', 'command'],
  ['compose_cmd_wrapper', 'command'],
  ['registry_account', 'registry-password-hidden'],
  ['webhook_secret', 'webhook'],
  ['send_alerts', 'alert-setting'],
  ['auto_pull', 'deploy-option'],
  ['run_build', 'deploy-option'],
  ['build_extra_args', 'deploy-option'],
  ['extra_args', 'deploy-option'],
  ['ignore_services', 'deploy-option'],
  ['destroy_before_deploy', 'deploy-option'],
  ['auto_update_all_services', 'deploy-option'],
  ['auto_update_skip_services', 'deploy-option'],
  ['webhook_force_deploy', 'deploy-option'],
  ['clone_path', 'deploy-option'],
  ['reclone', 'deploy-option'],
]

/** Returns the settings of a stack that are not imported, if they differ from the defaults. */
export const leftOutSettings = (config: KomodoConfig): LeftOut[] =>
  reasons.filter(([field]) => isSet(config, field)).map(([what, reason]) => ({ what, reason }))

function isSet(config: KomodoConfig, field: keyof KomodoConfig): boolean {
  const value = config[field]
  return typeof value === 'object' ? value.length > 0 : value !== defaultConfig[field]
}
