import type { SourceHook, SourceHookSecret, StackHook, StackHookSecret } from '../api/types.ts'
import type { Printer } from './print.ts'
import { clean } from './text.ts'
import { moment } from './units.ts'

/** Prints the hook of a stack with its address at the service. */
export function showHook(hook: StackHook, server: string, print: Printer): void {
  const { last_deployment: deployment } = hook
  print.facts({
    ...commonFacts(hook, server),
    'last deployment': deployment && `${moment(deployment.at)} ${deploymentText(deployment)}`,
    waiting: hook.is_waiting ? 'a deployment begins soon' : undefined,
  })
}

/** Prints the hook of a source with its address at the service. */
export function showSourceHook(hook: SourceHook, server: string, print: Printer): void {
  const { last_look: look } = hook
  print.facts({
    ...commonFacts(hook, server),
    'last look': look && `${moment(look.at)} ${lookText(look)}`,
    waiting: hook.is_waiting ? 'a look begins soon' : undefined,
  })
}

type Common = Omit<StackHook, 'last_deployment'>

const commonFacts = (hook: Common, server: string) => ({
  address: addressOf(hook, server),
  'acts as': hook.acts_as,
  blocked: hook.blocked ?? undefined,
  'last request': moment(hook.accepted_at),
  'last refused': refusedText(hook),
})

const refusedText = ({ last_refused: refused }: Common): string | undefined =>
  refused ? `${moment(refused.at)} ${refusalTexts[refused.reason]}` : undefined

const addressOf = ({ path }: Pick<Common, 'path'>, server: string) => `${server}${path}`

const refusalTexts = {
  no_secret: 'it had no secret and no signature',
  wrong_secret: 'its secret or signature is wrong',
  too_large: 'its body is larger than 25 MiB',
  incomplete: 'its body broke off',
} as const

const deploymentText = ({
  deployment_id: id,
  error,
}: NonNullable<StackHook['last_deployment']>): string => id ?? `failed: ${clean(error ?? '')}`

const lookText = ({ error }: NonNullable<SourceHook['last_look']>): string =>
  error === null ? 'seen' : `failed: ${clean(error)}`

/** Prints a hook that was just made, with how to call it. */
export function showNewHook(
  hook: SourceHookSecret | StackHookSecret,
  server: string,
  print: Printer,
): void {
  const address = addressOf(hook, server)
  print.facts({ address, secret: hook.secret, 'acts as': hook.acts_as })
  print.note('the secret is not shown again')
  print.note('GitHub: address as Payload URL, secret as Secret, any content type')
  print.note('Gitea, Forgejo: address as Target URL, secret as Secret')
  print.note('GitLab: address as URL, secret as Secret token')
  print.note(`curl: curl --request POST --header "Authorization: Bearer $SECRET" ${address}`)
}
