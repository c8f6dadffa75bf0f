import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { refresh } from './refresh.ts'

export type Alert = components['schemas']['Alert']
export type AlertRule = components['schemas']['AlertRule']
export type AlertEvent = components['schemas']['AlertEvent']
export type AlertChannel = components['schemas']['AlertChannel']
export type AlertDelivery = components['schemas']['AlertDelivery']
export type RuleBody = components['schemas']['CreateAlertRuleBody']
export type ChannelBody = components['schemas']['AlertChannelBody']
export type ChannelChange = components['schemas']['AlertChannelChange']

const byId = (id: string) => ({ params: { path: { id } } })

export async function saveRule(id: string | undefined, body: RuleBody): Promise<AlertRule> {
  const saved = await unwrap(
    id === undefined
      ? api.POST('/alert-rules', { body })
      : api.PUT('/alert-rules/{id}', { ...byId(id), body }),
  )
  refresh('/alert-rules', '/alerts')
  return saved
}

export async function changeRule(
  id: string,
  body: components['schemas']['UpdateAlertRuleBody'],
): Promise<AlertRule> {
  const saved = await unwrap(api.PUT('/alert-rules/{id}', { ...byId(id), body }))
  refresh('/alert-rules', '/alerts')
  return saved
}

export async function removeRule(id: string): Promise<void> {
  await unwrap(api.DELETE('/alert-rules/{id}', byId(id)))
  refresh('/alert-rules', '/alerts')
}

export async function createChannel(body: ChannelBody): Promise<AlertChannel> {
  const saved = await unwrap(api.POST('/alert-channels', { body }))
  refresh('/alert-channels')
  return saved
}

export async function changeChannel(id: string, body: ChannelChange): Promise<AlertChannel> {
  const saved = await unwrap(api.PUT('/alert-channels/{id}', { ...byId(id), body }))
  refresh('/alert-channels')
  return saved
}

export async function removeChannel(id: string): Promise<void> {
  await unwrap(api.DELETE('/alert-channels/{id}', byId(id)))
  refresh('/alert-channels', '/alert-rules')
}

/** Sends a test message. Returns whether the target accepted it. */
export async function testChannel(id: string) {
  const tested = await unwrap(api.POST('/alert-channels/{id}/test', byId(id)))
  refresh('/alert-channels')
  return tested
}

export async function retryDelivery(id: string): Promise<void> {
  await unwrap(api.POST('/alert-deliveries/{id}/retry', byId(id)))
  refresh('/alert-deliveries', '/alert-channels')
}
