import 'reflect-metadata'
import {
  createHash,
  createPublicKey,
  randomBytes,
  type webcrypto,
  X509Certificate,
} from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate as ParsedCertificate,
  PemConverter,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { invalid } from '../../../functions/core/errors.ts'
import { certificateBackdating, certificateLife } from '../../../functions/core/hosts/renewal.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import { agentProtocol } from '../../../functions/core/records/agent-protocol.ts'
import type { SignedCertificate } from '../../../functions/core/records/host.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const year = 365 * 24 * 60 * 60 * 1000
const authorityLife = 20 * year
/**
 * Earlier than any correct clock: an authority created while the clock is ahead stays valid after
 * the clock is corrected.
 */
const authorityStart = Date.UTC(2020, 0)

/** Issues certificates with an authority's key. */
export interface CertificateIssuer {
  /** The authority's certificate. PEM. */
  pem: string
  /** The SHA-256 of the certificate in hex. */
  fingerprint: string
  /**
   * Issues a certificate for an agent.
   *
   * @throws 400 if the request is not a signing request for a P-256 key
   */
  certifyAgent(request: string, hostId: string): Promise<SignedCertificate>
  /** Returns a new key and a certificate for the listener, valid for a year. PEM. */
  certifyServer(): Promise<{ key: string; certificate: string; ca: string }>
}

/** Opens the result of `makeAuthority`. Throws for any other text. */
export async function parseAuthority(text: string, clock: Clock): Promise<CertificateIssuer> {
  const [keyPem, pem] = partsOf(text)
  if (!keyPem || !pem) throw new Error('agent-authority.pem contains no key and certificate')
  const authority = new ParsedCertificate(pem)
  const der = derOf(keyPem)
  const signingKey = await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
  const issue = issuer({ authority, signingKey, clock })
  return {
    pem,
    fingerprint: createHash('sha256').update(new X509Certificate(pem).raw).digest('hex'),
    async certifyAgent(request, hostId) {
      return issue(await requestedKey(request), `CN=${hostId}`, 'client', certificateLife)
    },
    async certifyServer() {
      const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
      const subject = `CN=${agentProtocol.serverName}`
      const { certificate } = await issue(keys.publicKey, subject, 'server', year)
      return { key: await privatePem(keys.privateKey), certificate, ca: pem }
    },
  }
}

function issuer(of: {
  authority: ParsedCertificate
  signingKey: webcrypto.CryptoKey
  clock: Clock
}) {
  const { authority, signingKey, clock } = of
  return async (
    publicKey: webcrypto.CryptoKey,
    subject: string,
    usage: 'client' | 'server',
    life: number,
  ): Promise<SignedCertificate> => {
    const now = clock.now()
    const expiresAt = Math.floor((now + life) / 1000) * 1000
    const names = [{ type: 'dns', value: agentProtocol.serverName } as const]
    const certificate = await X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject,
      issuer: authority.subject,
      notBefore: new Date(now - certificateBackdating),
      notAfter: new Date(expiresAt),
      signingAlgorithm: algorithm,
      publicKey,
      signingKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage[`${usage}Auth`]], true),
        ...(usage === 'server' ? [new SubjectAlternativeNameExtension(names)] : []),
        await SubjectKeyIdentifierExtension.create(publicKey),
        await AuthorityKeyIdentifierExtension.create(authority, false),
      ],
    })
    return {
      certificate: `${certificate.toString('pem')}\n`,
      serial: certificate.serialNumber.toUpperCase(),
      expiresAt,
    }
  }
}

/** Returns a new authority: its key and its certificate as one PEM text. */
export async function makeAuthority(clock: Clock): Promise<string> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Container Stacks agents',
    notBefore: new Date(authorityStart),
    notAfter: new Date(clock.now() + authorityLife),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return `${await privatePem(keys.privateKey)}${certificate.toString('pem')}\n`
}

/** Returns the key in a request: a P-256 key that has signed the request. */
async function requestedKey(request: string): Promise<webcrypto.CryptoKey> {
  const wrong = () => invalid('body.csr: a signing request for a P-256 key is expected, PEM')
  try {
    const parsed = new Pkcs10CertificateRequest(request)
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
      key: Buffer.from(parsed.publicKey.rawData),
      format: 'der',
      type: 'spki',
    })
    const fits = asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
    if (fits && (await parsed.verify())) return await parsed.publicKey.export(algorithm, ['verify'])
  } catch {
    throw wrong()
  }
  throw wrong()
}

/**
 * Returns 127 random bits, positive and without a leading zero byte, so that every tool shows the
 * same digits.
 */
function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40)
  return bytes.toString('hex')
}

function partsOf(text: string): (string | undefined)[] {
  return ['PRIVATE KEY', 'CERTIFICATE'].map(
    (label) => new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----\n?`).exec(text)?.[0],
  )
}

const derOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`
}
