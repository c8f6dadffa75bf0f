import { type Mutation, one } from './mutation.ts'

const room = 'functions/core/compose/policy'
const rule = (name: string, file: string, text: string, without: string): Mutation =>
  one(name, `${room}/${file}`, text, without, [`${room}/attributes.test.ts`])

const option = (name: string, file: string, text: string, without: string): Mutation =>
  one(`options: ${name}`, `${room}/${file}`, text, without, [
    `${room}/attributes.test.ts`,
    `${room}/policy.test.ts`,
    `${room}/driver-options.test.ts`,
  ])

/**
 * Checks of the attribute values that callers without `stacks:privileged` may send to the Engine.
 */
export const checks: Mutation[] = [
  rule(
    'an attribute that no row lists',
    'unlisted-reach.ts',
    "else yield { path: at, detail: 'an attribute that no rule allows' }",
    '',
  ),
  rule(
    'an attribute that its row lists as privileged',
    'unlisted-reach.ts',
    "if (groups.rule?.who === 'privileged') yield",
    'if (false) yield',
  ),
  rule('settings of the kernel', 'limits-reach.ts', 'if (isOwnSysctl(key)) continue', 'continue'),
  rule(
    'limits above the host’s processes',
    'limits-reach.ts',
    'if (isOwnLimit(name)) continue',
    'continue',
  ),
  rule(
    'limits above the host’s processes: builds',
    'policy.ts',
    "yield* ulimitsReach(service.build?.ulimits, [...path, 'build', 'ulimits'])",
    '',
  ),
  rule(
    'a score that spares a container',
    'limits-reach.ts',
    'if ((service.oom_score_adj ?? 0) < 0) {',
    'if (false) {',
  ),
  rule(
    'paths of throttled devices',
    'limits-reach.ts',
    'if (isDevicePath(path)) continue',
    'continue',
  ),
  rule(
    'options of the storage driver',
    'limits-reach.ts',
    "if (key === 'size') continue",
    'continue',
  ),
  option(
    'volumes that are binds, devices or shares',
    'resource-reach.ts',
    "if (key) yield { path: [...path, 'driver_opts', key], detail: `the volume option ${key}` }",
    '',
  ),
  option(
    'a volume of another type than memory',
    'driver-options.ts',
    "if (type !== 'tmpfs') return at",
    '',
  ),
  option(
    'a key of a volume that is not known',
    'driver-options.ts',
    'if (unknown) return unknown[0]',
    '',
  ),
  option(
    'a bind in the mount options of memory',
    'driver-options.ts',
    "return o.split(',').every((option) => memoryOption.test(option.trim())) ? undefined : at",
    'return undefined',
  ),
  option(
    'a volume driver other than local',
    'resource-reach.ts',
    "if (driver !== 'local') {",
    'if (false) {',
  ),
  option(
    'names of bridges and the like',
    'driver-options.ts',
    'Object.keys(options).filter((key) => !networkOptions.has(key))',
    'Object.keys(options).filter(() => false)',
  ),
  option(
    'of a service in a network',
    'driver-options.ts',
    'yield { path, detail: `the network option ${key}` }',
    '',
  ),
  option(
    'annotations for the runtime',
    'driver-options.ts',
    "yield { path: [...at, 'annotations', key], detail: `the annotation ${key}` }",
    '',
  ),
  rule(
    'a stop without an end',
    'limits-reach.ts',
    'if (grace > graceSecondsMax) {',
    'if (false) {',
  ),
  rule('a mount of a new type', 'mount-reach.ts', 'if (!ownTypes.has(type)) {', 'if (false) {'),
  rule(
    'mounts that reach the host',
    'mount-reach.ts',
    'if (propagation === undefined || ownPropagation.has(propagation)) continue',
    'continue',
  ),
  rule('options of tmpfs', 'mount-reach.ts', 'if (option === undefined) continue', 'continue'),
  rule(
    'values of log options',
    'log-reach.ts',
    'if (Object.hasOwn(ownOptions, key) && ownOptions[key]!(value)) continue',
    'if (Object.hasOwn(ownOptions, key)) continue',
  ),
  rule(
    'subnets that are others’',
    'address-reach.ts',
    'if (subnet === undefined || isOwnSubnet(subnet)) continue',
    'continue',
  ),
  rule(
    'options of address drivers',
    'address-reach.ts',
    "yield { path: [...at, 'ipam', 'options', key], detail: 'an option of an address driver' }",
    '',
  ),
  rule(
    'addresses that are not link-local',
    'address-reach.ts',
    "if (ipaddr.isValid(address) && ipaddr.parse(address).range() === 'linkLocal') continue",
    'continue',
  ),
  rule(
    'security options that undo the Engine’s',
    'service-reach.ts',
    'no-new-privileges([=:]true)?|',
    'no-new-privileges([=:](true|false))?|',
  ),
  one(
    'a stack that its deployer may no longer deploy',
    'functions/core/stacks/judge.ts',
    "environment, reach: 'stack' }",
    "environment, reach: 'host' }",
    ['functions/stacks/judge'],
  ),
  one(
    'values of variables in warnings',
    'functions/core/stacks/judge.ts',
    'placeOf(error.message), contentRevision',
    'error.message, contentRevision',
    ['functions/stacks/judge'],
  ),
]
