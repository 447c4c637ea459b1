import { sourceApi, type SourceRow } from '../../../contract/school/sources/sources.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { useSend } from '../../core/service/use-call.ts'

/**
 * Accepts the key that an SFTP server has shown, which is then tested anew: only now is it told account and password.
 */
export function TrustHostButton({
  source: { isId, version },
  hostKey,
}: {
  source: Pick<SourceRow, 'isId' | 'version'>
  hostKey: string
}) {
  const { send } = useSend(sourceApi.trust)
  return (
    <ActionButton to={sourceApi.trust} onClick={() => send({ isId, version, hostKey })}>
      已核对，信任该主机
    </ActionButton>
  )
}
