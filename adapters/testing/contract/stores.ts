import { describe } from 'vitest'
import { accountsContract } from './accounts.ts'
import {
  alertEventsContract,
  alertRulesContract,
  alertStatesContract,
  metricHistoryContract,
} from './alert-states.ts'
import { alertChannelsContract, alertDeliveriesContract } from './alerts.ts'
import { apiTokensContract } from './api-tokens.ts'
import { attemptsContract } from './attempts.ts'
import { auditContract } from './audit.ts'
import { backupJobsContract, backupRunsContract } from './backups.ts'
import { collectionContract } from './collection.ts'
import { deploymentsContract } from './deployments.ts'
import { estatesContract } from './estates.ts'
import { enrolmentsContract, hostConnectionsContract, hostsContract } from './hosts.ts'
import { idempotentRequestsContract } from './idempotent-requests.ts'
import { leasesContract } from './leases.ts'
import { operationsContract } from './operations.ts'
import { ownersContract } from './owners.ts'
import { passkeysContract } from './passkeys.ts'
import { secondFactorsContract } from './second-factors.ts'
import { sessionsContract } from './sessions.ts'
import { settingsContract } from './settings.ts'
import { setupContract } from './setup.ts'
import { signInStepsContract } from './sign-in-steps.ts'
import { textMarksContract, textsContract } from './texts.ts'
import { ticketsContract } from './tickets.ts'
import { uploadsContract } from './uploads.ts'
import { usageHistoryContract } from './usage-history.ts'
import type { NewWorld } from './world.ts'

/** Defines the tests of every port that stores something. */
export function storesContract(newWorld: NewWorld): void {
  describe('stacks', () => collectionContract(newWorld))
  describe('accounts', () => accountsContract(newWorld))
  describe('second factors', () => secondFactorsContract(newWorld))
  describe('passkeys', () => passkeysContract(newWorld))
  describe('attempts', () => attemptsContract(newWorld))
  describe('sessions', () => sessionsContract(newWorld))
  describe('API tokens', () => apiTokensContract(newWorld))
  describe('tickets', () => ticketsContract(newWorld))
  describe('sign-in steps', () => signInStepsContract(newWorld))
  describe('requests with an Idempotency-Key', () => idempotentRequestsContract(newWorld))
  describe('set-up', () => setupContract(newWorld))
  describe('settings', () => settingsContract(newWorld))
  describe('hosts', () => hostsContract(newWorld))
  describe('host connections', () => hostConnectionsContract(newWorld))
  describe('enrolments', () => enrolmentsContract(newWorld))
  describe('deployments', () => deploymentsContract(newWorld))
  describe('operations', () => operationsContract(newWorld))
  describe('texts', () => textsContract(newWorld))
  describe('marks of texts', () => textMarksContract(newWorld))
  describe('uploads', () => uploadsContract(newWorld))
  describe('owners', () => ownersContract(newWorld))
  describe('alert channels', () => alertChannelsContract(newWorld))
  describe('alert deliveries', () => alertDeliveriesContract(newWorld))
  describe('leases', () => leasesContract(newWorld))
  describe('estates', () => estatesContract(newWorld))
  describe('backup jobs', () => backupJobsContract(newWorld))
  describe('backup runs', () => backupRunsContract(newWorld))
  describe('alert rules', () => alertRulesContract(newWorld))
  describe('alert states', () => alertStatesContract(newWorld))
  describe('alert events', () => alertEventsContract(newWorld))
  describe('metric history', () => metricHistoryContract(newWorld))
  describe('usage history', () => usageHistoryContract(newWorld))
  describe('audit', () => auditContract(newWorld))
}
