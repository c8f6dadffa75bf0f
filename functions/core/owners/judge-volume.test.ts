import { expect, test } from 'vitest'
import { judgeVolume, mayUseOwner, type VolumeEvidence, type VolumeOwner } from './judge-volume.ts'

const foreign: VolumeOwner = { kind: 'foreign' }
const ofShop: VolumeOwner = { kind: 'stack', stack: 'shop' }
const installation: VolumeOwner = { kind: 'installation' }
const nothing = { reach: 'stack', mayUseOwner: false, isHeld: false, isShared: false } as const
const all = { reach: 'host', mayUseOwner: true, isHeld: true, isShared: true } as const

const verdictOf = (owner: VolumeOwner, more: Partial<VolumeEvidence>) => {
  const verdict = judgeVolume('data', 'backup', { owner, ...nothing, ...more })
  return typeof verdict === 'string' ? verdict : verdict.status
}

test.each<[string, VolumeOwner, Partial<VolumeEvidence>, string | number]>([
  ['a volume of a stack, without any right', ofShop, {}, 403],
  ['a volume of a stack that the caller may deploy', ofShop, { mayUseOwner: true }, 'granted'],
  ['a volume of a stack, with stacks:privileged', ofShop, { reach: 'host' }, 'granted'],
  ['a volume of a stack that the job holds', ofShop, { isHeld: true }, 'held'],
  ['a volume of a stack that the setting lists', ofShop, { isShared: true }, 'shared'],
  ['a volume of no stack, without any right', foreign, {}, 403],
  ['a volume of no stack, with a right to stacks', foreign, { mayUseOwner: true }, 403],
  ['a volume of no stack, with stacks:privileged', foreign, { reach: 'host' }, 'granted'],
  ['a volume of no stack that the job holds', foreign, { isHeld: true }, 'held'],
  ['a volume of no stack that the setting lists', foreign, { isShared: true }, 'shared'],
  ['a volume of the installation, with every right', installation, all, 409],
])('%s', (_what, owner, more, verdict) => {
  expect(verdictOf(owner, more)).toBe(verdict)
})

test('a refusal names the setting, and never the stack that owns the volume', () => {
  for (const owner of [foreign, ofShop]) {
    const verdict = judgeVolume('data', 'restore', { owner, ...nothing })
    expect(verdict).toMatchObject({ text: expect.stringContaining('stacks.shared_volumes') })
    expect(JSON.stringify(verdict)).not.toContain('shop')
  }
})

test('the refusal of a volume of the installation names the system backup', () => {
  const { text } = judgeVolume('data', 'backup', { owner: installation, ...all }) as {
    text: string
  }
  expect(text).toBe(
    'volume data: it is a part of this service; to save its data, make a job that backs up the system',
  )
})

test('what a deleted stack left is not that of the stack which has its name now', async () => {
  const always = () => true
  expect(await mayUseOwner(ofShop, always)).toBe(true)
  expect(await mayUseOwner({ ...ofShop, isLeft: true }, always)).toBe(false)
  expect(await mayUseOwner(foreign, always)).toBe(false)
  expect(await mayUseOwner(ofShop, () => false)).toBe(false)
})
