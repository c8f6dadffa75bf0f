import { ownEntry } from '../lookup.ts'
import { isReservedLabel } from '../policy/reserved-labels.ts'
import { printDuration } from '../units.ts'
import {
  type Fields,
  fieldsAt,
  isEmpty,
  isSameList,
  listAt,
  numberAt,
  present,
  shown,
  textAt,
  textsAt,
  unlessEmpty,
  unsaid,
} from './fields.ts'
import type { ContainerInspection, Part } from './inspection.ts'

/**
 * Returns what the `Config` of a container has and its image does not, without the environment,
 * ports and volumes.
 *
 * @param showsValues whether the caller may read what may be secret: the test of a health check,
 *   and fields that are not known here
 */
export function configPart(inspection: ContainerInspection, showsValues: boolean): Part {
  const { config, imageConfig } = inspection
  const ofItsOwn = (key: string) => {
    const value = textAt(config, key)
    return value === '' || value === textAt(imageConfig, key) ? undefined : value
  }
  const check = healthCheck(config, imageConfig)
  const isHidden = check?.test !== undefined && !showsValues
  return {
    fields: present({
      ...command(config, imageConfig),
      working_dir: ofItsOwn('WorkingDir'),
      user: ofItsOwn('User'),
      hostname: hostname(inspection),
      domainname: ofItsOwn('Domainname'),
      tty: config.Tty === true || undefined,
      stdin_open: config.OpenStdin === true || undefined,
      stop_signal: stopSignal(ofItsOwn('StopSignal'), imageConfig),
      stop_grace_period: stopTimeout(config.StopTimeout),
      healthcheck: isHidden ? unlessEmpty({ ...check, test: undefined }) : check,
      labels: labels(config, imageConfig),
    }),
    left: [
      ...unknownFields(config, imageConfig).map((one) => unsaid('Config', one, showsValues)),
      ...(isHidden ? [hiddenCheck] : []),
    ],
  }
}

const hiddenCheck = 'healthcheck.test: not shown without the permission containers:secrets'

/** With an entry point of its own, a container gets no command from its image. */
function command(config: Fields, image: Fields | undefined): Fields {
  const [entrypoint, words] = [listAt(config, 'Entrypoint'), listAt(config, 'Cmd')]
  const usual = listAt(image, 'Cmd')
  const lacksUsual = words.length === 0 && usual.length > 0
  const isOwn = lacksUsual || !isSameList(entrypoint, listAt(image, 'Entrypoint'))
  if (isOwn) return { entrypoint, command: words.length > 0 ? words : undefined }
  return { command: isSameList(words, usual) ? undefined : words }
}

/** The id names a container by default, and its machine one in the network of the host. */
function hostname({ id, config, hostConfig, engine }: ContainerInspection): string | undefined {
  const name = textAt(config, 'Hostname')
  const mode = textAt(hostConfig, 'NetworkMode')
  const isOfHost = mode === 'host' || textAt(hostConfig, 'UTSMode') === 'host'
  if (name === '' || name === id.slice(0, 12) || mode.startsWith('container:')) return undefined
  return isOfHost && name === engine.hostName ? undefined : name
}

/** Older clients send the usual signal. */
const stopSignal = (signal: string | undefined, image: Fields | undefined) =>
  signal === 'SIGTERM' && textAt(image, 'StopSignal') === '' ? undefined : signal

const stopTimeout = (seconds: unknown) => (typeof seconds === 'number' ? `${seconds}s` : undefined)

/** The Engine takes each missing part of a check from the image. */
function healthCheck(config: Fields, image: Fields | undefined): Fields | undefined {
  const [own, usual] = [fieldsAt(config, 'Healthcheck'), fieldsAt(image, 'Healthcheck')]
  const test = listAt(own, 'Test')
  const isUsual = isSameList(test, listAt(usual, 'Test'))
  if (test[0] === 'NONE') return isUsual ? undefined : { disable: true }
  const changed = (key: string) => {
    const value = numberAt(own, key)
    return value === 0 || value === numberAt(usual, key) ? undefined : value
  }
  const duration = (key: string) => {
    const value = changed(key)
    return value === undefined ? undefined : printDuration(BigInt(Math.round(value)))
  }
  return unlessEmpty({
    test: isUsual ? undefined : test,
    interval: duration('Interval'),
    timeout: duration('Timeout'),
    start_period: duration('StartPeriod'),
    start_interval: duration('StartInterval'),
    retries: changed('Retries'),
  })
}

/** Labels of docker compose and of this service belong to the container, and not to its service. */
function labels(config: Fields, image: Fields | undefined): Fields | undefined {
  const usual = fieldsAt(image, 'Labels')
  const own = textsAt(config, 'Labels').filter(
    ([key, value]) => value !== ownEntry(usual, key) && !isReservedLabel(key),
  )
  return own.length > 0 ? Object.fromEntries(own) : undefined
}

/** Fields that are read here or by another part, or that say only how a container was started. */
const known = new Set([
  ...['Hostname', 'Domainname', 'User', 'AttachStdin', 'AttachStdout', 'AttachStderr'],
  ...['ExposedPorts', 'Tty', 'OpenStdin', 'Env', 'Cmd', 'ArgsEscaped', 'Healthcheck', 'Image'],
  ...['Volumes', 'WorkingDir', 'Entrypoint', 'MacAddress', 'OnBuild', 'Labels', 'StopSignal'],
  'StopTimeout',
])

const unknownFields = (config: Fields, image: Fields | undefined): [string, unknown][] =>
  Object.entries(config)
    .filter(([key, value]) => !known.has(key) && !isEmpty(value))
    .filter(([key, value]) => shown(value) !== shown(ownEntry(image, key)))
