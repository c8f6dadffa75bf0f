import { expect, test } from 'vitest'
import { composeInput } from '../testing/compose-input.ts'
import { load } from './load.ts'

const secretOf = (files: Record<string, string>, composeFiles = ['compose.yaml']) =>
  load(composeInput(files, { composeFiles })).secretFiles

const web = (lines: string) => `services:\n  web:\n    image: nginx\n    ${lines}\n`

test('env_file of a service in every form, also where the file is optional or missing', () => {
  expect(secretOf({ 'compose.yaml': web('env_file: api.conf'), 'api.conf': '' })).toEqual([
    'api.conf',
  ])
  const list = web('env_file: [./a/../b.conf, {path: c.conf, required: false}]')
  expect(secretOf({ 'compose.yaml': list, 'b.conf': 'A=1' })).toEqual(['b.conf', 'c.conf'])
})

test('env_file of a service without an active profile', () => {
  const text = web('profiles: [later]\n    env_file: api.conf')
  expect(secretOf({ 'compose.yaml': text })).toEqual(['api.conf'])
})

test('env_file that a variable names', () => {
  const text = web('env_file: "$' + '{WHICH}.conf"')
  const files = { 'compose.yaml': text, '.env': 'WHICH=live', 'live.conf': '' }
  expect(secretOf(files)).toEqual(['live.conf'])
})

test('the file of a secret, also of one that no service uses, but not of a config', () => {
  const text = `${web('')}
secrets: {key: {file: ./keys/tls}, spare: {file: other}}
configs: {site: {file: site.conf}}
`
  expect(secretOf({ 'compose.yaml': text })).toEqual(['keys/tls', 'other'])
})

test('variables of an include, and secrets of included and extended files', () => {
  const text = `include: [{path: part/compose.yaml, env_file: part.conf}]
services:
  web: {extends: {file: base/compose.yaml, service: base}}
`
  const files = {
    'compose.yaml': text,
    'part.conf': 'TAG=1',
    'part/compose.yaml': 'services: {job: {image: "job:$' + '{TAG}", env_file: job.conf}}',
    'part/job.conf': '',
    'base/compose.yaml': web('env_file: base.conf').replace('web:', 'base:'),
    'base/base.conf': '',
  }
  expect(secretOf(files)).toEqual(['base/base.conf', 'part.conf', 'part/job.conf'])
})

test('paths outside of the directory are left out', () => {
  const text = `${web('')}\nsecrets: {key: {file: /etc/key}}\n`
  const input = { name: 'shop', directory: '/srv/shop', composeFiles: ['compose.yaml'] }
  const rest = { environment: {}, profiles: [], reach: 'host' as const }
  expect(load({ ...input, ...rest, files: { 'compose.yaml': text } }).secretFiles).toEqual([])
})
