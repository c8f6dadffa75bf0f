import { test } from 'vitest'
import { expectLocal, expectUnknownHost, expectUnreachable } from '../../local/harness/host-list.ts'
import list from './list.ts'

test('200: lists the networks of the local host', () => expectLocal(list, 'shop_default'))
test('200: host=all names hosts that do not respond', () => expectUnreachable(list))
test('404: unknown host', () => expectUnknownHost(list))
