import 'reflect-metadata'
import { PemConverter, Pkcs10CertificateRequestGenerator } from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A key that was made on this machine and never leaves it, and the request to certify it. Both PEM. */
export interface KeyAndRequest {
  key: string
  request: string
}

/** Makes a P-256 key and a signing request. Who it is for is decided by the service, not by what the request says. */
export async function makeRequest(): Promise<KeyAndRequest> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: 'CN=agent',
    keys,
    signingAlgorithm: algorithm,
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    key: `${PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`,
    request: request.toString('pem'),
  }
}
