import { z } from 'zod'
import { registryAddress, registryPattern } from '../../compose/reference/registry-address.ts'

/** Entries that a list of what stacks and callers may use has at most. */
export const listedMax = 500

/** Names in the form that the Engine accepts. */
const sharedNames = z
  .array(
    z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/,
        'must be at most 255 letters, digits and _ . -, beginning with a letter or digit',
      ),
  )
  .max(listedMax)

const bindForm = /^(\/.*|gpus|network_mode:host|(volume|cap_add|device_cgroup_rules):\S.*)$/

/** Paths of the host, and options of containers with their value. */
const enterableBinds = z
  .array(
    z
      .string()
      .max(255)
      // As it is in a compose file.
      .overwrite((text) => text.trim().replace(/^([a-z_]+):\s+/, '$1:'))
      .regex(
        bindForm,
        'must be a path of the host such as `/srv/media`, or an option such as `cap_add:NET_ADMIN`, `network_mode:host`, `gpus` or `volume:films`',
      ),
  )
  .max(listedMax)

/** Every setting by its key, with its valid values. */
export const SettingFields = z
  .strictObject({
    'auth.lockout_max_attempts': z
      .int()
      .min(1)
      .max(100)
      .describe('Failed logins after which an account is locked'),
    'auth.lockout_duration_minutes': z
      .int()
      .min(1)
      .max(1440)
      .describe('How long an account stays locked'),
    'auth.session_absolute_hours': z
      .number()
      .min(0.01)
      .max(8760)
      .describe('The maximum lifetime of a session; a lower value also ends existing sessions'),
    'auth.session_idle_minutes': z
      .number()
      .min(0.1)
      .max(525_600)
      .describe(
        'The idle timeout of a session. Pages of a browser are used while a person presses, clicks, types or scrolls there; each refresh of other clients is use',
      ),
    'auth.session_remember_days': z
      .number()
      .min(0.01)
      .max(365)
      .describe('The maximum lifetime of a remembered session, which has no idle timeout'),
    'adopt.max_bundle_bytes': z
      .int()
      .min(1024)
      .max(16 * 1024 ** 3)
      .describe('The largest packed bundle that an adoption accepts'),
    'stack.max_bytes': z
      .int()
      .min(1024 ** 2)
      .max(1024 ** 3)
      .describe('The largest total size of the files of a stack'),
    'stack.max_files': z
      .int()
      .min(1)
      .max(20_000)
      .describe('The largest number of files and links of a stack'),
    'stack.max_file_bytes': z
      .int()
      .min(1024 ** 2)
      .max(64 * 1024 ** 2)
      .describe('The largest size of one file of a stack'),
    'metrics.sample_seconds': z
      .int()
      .min(1)
      .max(300)
      .describe('Time between two samples of a host, on which its alert rules are evaluated'),
    'metrics.history_days': z
      .int()
      .min(0)
      .max(31)
      .describe(
        'How many days the graphs of hosts and containers go back; 0 records nothing for them',
      ),
    'retention.deployments': z
      .int()
      .min(1)
      .max(10_000)
      .describe('The number of newest deployments of each stack that are always kept'),
    'retention.days': z
      .int()
      .min(1)
      .max(3650)
      .describe(
        'How many days every deployment is kept, and each run without a backup whose job was deleted',
      ),
    'retention.deleted_job_days': z
      .int()
      .min(1)
      .max(3650)
      .describe('How many days runs with a backup are kept after their job was deleted'),
    'updates.check_hours': z
      .number()
      .min(0)
      .max(720)
      .refine((hours) => hours === 0 || hours >= 1, 'must be 0, or at least 1')
      .describe(
        'Hours between two looks for newer images of a tag that stacks use; 0 looks for none',
      ),
    'registry.allow': z
      .array(
        z
          .string()
          .max(255)
          .overwrite(registryAddress)
          .regex(
            registryPattern,
            'must be a host or host:port, as before the first slash of an image name',
          ),
      )
      .max(100)
      .describe(
        'Registries without a public DNS name that callers without `stacks:privileged` may use, as `host[:port]`',
      ),
    'stacks.shared_volumes': sharedNames.describe(
      'Names of volumes that every stack may use, even if another stack created them',
    ),
    'stacks.shared_networks': sharedNames.describe(
      'Names of networks that every stack may use, even if another stack created them',
    ),
    'stacks.enterable_binds': enterableBinds.describe(
      'Paths of hosts, with what is below them, and options such as `cap_add:NET_ADMIN`: containers that have them may be entered without `stacks:privileged`',
    ),
    'stacks.lists_filled': z
      .boolean()
      .describe(
        'Whether the browser UI tells admins that an upgrade filled the three lists above; `false` dismisses it',
      ),
  })
  .meta({ id: 'Settings' })

export type SettingValues = z.output<typeof SettingFields>
export type SettingKey = keyof SettingValues

/** Settings to store; null stores none, so that the default is in force. */
export type SettingChanges = { [Key in SettingKey]?: SettingValues[Key] | null }

/** Every key, in display order. */
export const settingKeys = Object.keys(SettingFields.shape) as SettingKey[]

/** The values of settings that are neither stored nor pinned. */
export const defaultSettings: Readonly<SettingValues> = {
  'auth.lockout_max_attempts': 5,
  'auth.lockout_duration_minutes': 15,
  'auth.session_absolute_hours': 24,
  'auth.session_idle_minutes': 60,
  'auth.session_remember_days': 14,
  'adopt.max_bundle_bytes': 1024 ** 3,
  'stack.max_bytes': 64 * 1024 ** 2,
  'stack.max_files': 5000,
  'stack.max_file_bytes': 16 * 1024 ** 2,
  'metrics.sample_seconds': 15,
  'metrics.history_days': 31,
  'retention.deployments': 100,
  'retention.days': 90,
  'retention.deleted_job_days': 365,
  'updates.check_hours': 6,
  'registry.allow': [],
  'stacks.shared_volumes': [],
  'stacks.shared_networks': [],
  'stacks.enterable_binds': [],
  'stacks.lists_filled': false,
}

/**
 * Merges the settings: pinned values (file, environment) over stored ones over the defaults. Drops
 * unknown keys.
 */
export function effectiveSettings(
  stored: Partial<SettingValues>,
  pinned: Partial<SettingValues>,
): SettingValues {
  return { ...defaultSettings, ...known(stored), ...known(pinned) }
}

const known = (values: Partial<SettingValues>) =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => value !== undefined && Object.hasOwn(defaultSettings, key),
    ),
  )
