import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { unseal } from '../../core/secrets/field-crypto.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Provider } from './protocol.ts'

/** By which this program signs what it asks of a provider, and opens what is encrypted for it; both as PEM. */
export interface SamlKey {
  key: string
  certificate: string
}

const years = 20

/** A pair of keys with a certificate of its own, which the other side takes from our metadata. */
export async function newSamlKey(now: Date): Promise<SamlKey> {
  const { default: forge } = await import('node-forge')
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 3072 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const own = forge.pki.privateKeyFromPem(key)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.setRsaPublicKey(own.n, own.e)
  // a positive number, as certificates have to have
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = now
  certificate.validity.notAfter = new Date(new Date(now).setUTCFullYear(now.getUTCFullYear() + years))
  const name = [{ name: 'commonName', value: 'dekt' }]
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.sign(own, forge.md.sha256.create())
  return { key, certificate: forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n').trim() }
}

/** The keys of a provider, which are made as it is saved. */
export function samlKeyOf({ sealedSecret }: Pick<Provider, 'sealedSecret'>, secrets: Secrets): SamlKey {
  return JSON.parse(unseal(sealedSecret, secrets)!) as SamlKey
}
