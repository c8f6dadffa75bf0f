import { expect, test } from 'vitest'
import { defaultConfig, readConfig } from './config.ts'
import { leftOutSettings } from './left-out.ts'

test('what is not set has its default', () => {
  const nothing = { config: defaultConfig, unknown: [], unreadable: [] }
  expect(readConfig(undefined)).toEqual(nothing)
  expect(readConfig({})).toEqual(nothing)
  expect(leftOutSettings(defaultConfig)).toEqual([])
})

test('reads both names of a server, files as texts or objects, and commands', () => {
  const { config, unknown, unreadable } = readConfig({
    server_id: 'nas',
    config_files: ['a.txt', { path: 'b.txt', requires: 'Restart' }],
    pre_deploy: { path: 'scripts', command: 'sh ./a.sh' },
    auto_pull: false,
  })
  expect([unknown, unreadable]).toEqual([[], []])
  expect(config).toEqual({
    ...defaultConfig,
    server: 'nas',
    config_files: ['a.txt', 'b.txt'],
    pre_deploy: 'sh ./a.sh',
    auto_pull: false,
  })
  expect(leftOutSettings(config)).toEqual([
    { what: 'pre_deploy', reason: 'command' },
    { what: 'auto_pull', reason: 'deploy-option' },
  ])
})

test.each([
  [{ file_paths: 'a.yaml, b.yaml' }, 'file_paths'],
  [{ environment: [{ variable: 'A', value: '1' }] }, 'environment'],
  [{ auto_update: 'yes' }, 'auto_update'],
  [{ config_files: [{ file: 'a.txt' }] }, 'config_files'],
  [{ server: 'nas', server_id: 'other' }, 'server_id'],
])('does not guess what %j means', (given, field) => {
  expect(readConfig(given).unreadable).toEqual([field])
})

test('names fields that are on no public page, and settings that are no object', () => {
  const given = { toString: 'x', gpu: true }
  expect(readConfig(given)).toMatchObject({ unknown: ['toString', 'gpu'], unreadable: [] })
  expect(readConfig('x').unreadable).toEqual(['config'])
})
