import { Skeleton } from 'antd'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { quoted } from '../../../contract/core/quotes.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import type { RoleRow } from '../../../contract/school/roles/roles.schema.ts'
import type { Output } from '../../../contract/core/call.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import { send } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { queryKeyOf, useSend } from '../../core/service/use-call.ts'
import { ReadFailure } from '../../core/screen/read-failure.tsx'
import { rolePaths } from '../../shared/people/role-paths.ts'
import { flowPaths } from '../../shared/workflow/flow-paths.ts'
import { figure } from '../../core/service/figure.ts'

/** Asks for each role whether it could be deleted, shows what stands in the way, and deletes those that can be. */
export function RoleRemoveDialog({ roles, onClose }: { roles: readonly RoleRow[]; onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const [isDone, setDone] = useState(false)
  const remove = useSend(roleApi.remove)
  const uses = useQueries({
    queries: roles.map(({ srId }) => ({
      queryKey: queryKeyOf(roleApi.verify, { id: srId }),
      queryFn: () => send(roleApi.verify, { id: srId }),
      staleTime: 0,
      enabled: !isDone,
    })),
  })
  const free = roles.filter((_, at) => uses[at]?.data?.canDelete)
  const isAsking = uses.some(({ isFetching, data }) => isFetching && !data)
  const failed = uses.filter(({ isError, data }) => isError && !data)
  const submit = async () => {
    // what is gone need not be asked about once more when the screen is read anew
    setDone(true)
    try {
      await remove.send({ ids: free.map(({ srId }) => srId) })
      notify('success', `已删除 ${free.length} 个角色`)
      setOpen(false)
    } catch {
      // told already: somebody has begun to use it meanwhile, so that is asked anew
      setDone(false)
    }
  }
  const names = free.length === 1 ? quoted(free[0]!.srName) : `其中 ${free.length} 个角色`
  return (
    <Dialog
      open={isOpen}
      title="删除角色"
      width={560}
      okText={free.length > 0 && free.length < roles.length ? `删除可删除的 ${free.length} 个` : '删除'}
      cancelText="取消"
      okButtonProps={{ danger: true, disabled: isAsking || free.length === 0 }}
      confirmLoading={remove.isSending}
      to={roleApi.remove}
      onOk={() => void submit()}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      <p className="ask-question">
        {isAsking
          ? '正在检查角色是否仍在使用…'
          : free.length > 0
            ? `确认删除${names}？删除后不能恢复。`
            : failed.length > 0
              ? `${failed.length} 个角色未能检查是否仍在使用。`
              : '所选角色仍在使用，不能删除。'}
      </p>
      <ul className="role-uses">
        {roles.map((role, at) => (
          <li key={role.srId}>
            <div>
              <b>{role.srName}</b>
              {uses[at]?.data && (
                <StatusChip tone={uses[at].data.canDelete ? 'finished' : 'refused'}>
                  {uses[at].data.canDelete ? '可以删除' : '不能删除'}
                </StatusChip>
              )}
            </div>
            {uses[at]?.data ? (
              <RoleUse role={role} use={uses[at].data} />
            ) : uses[at]?.isError ? (
              <p>未能检查是否仍在使用</p>
            ) : (
              <Skeleton active title={false} paragraph={{ rows: 1 }} />
            )}
          </li>
        ))}
      </ul>
      {/* once for all of them */}
      {!isAsking && failed[0] && (
        <ReadFailure
          noun="角色"
          reading={{ error: failed[0].error, refetch: () => failed.forEach((use) => void use.refetch()) }}
        />
      )}
    </Dialog>
  )
}

function RoleUse({
  role: { srId, srName },
  use: { builtIn, userCount, flowCount, flows, moduleCount, modules },
}: {
  role: RoleRow
  use: Output<typeof roleApi.verify>
}) {
  const named = (names: string[], count: number) =>
    `${names.join('、')}${count > names.length ? ` 等 ${figure(count)} 个` : ''}`
  if (builtIn) return <p>内置角色不能删除，可以停用。</p>
  if (userCount + flowCount + moduleCount === 0) return <p>没有成员，也没有流程和课程体系使用它。</p>
  return (
    <ul>
      {userCount > 0 && (
        <li>
          <Link to={rolePaths.members(srId)} aria-label={`${srName}的成员，${figure(userCount)} 人`}>
            {figure(userCount)} 名成员
          </Link>
          ，请先移除
        </li>
      )}
      {flowCount > 0 && (
        <li>
          <Link to={flowPaths.list}>{figure(flowCount)} 个流程</Link>：
          {named(
            flows.map(({ wfName }) => wfName),
            flowCount,
          )}
        </li>
      )}
      {moduleCount > 0 && (
        <li>
          <Link to="/basicConfig/CurriculumSystem">{figure(moduleCount)} 个课程体系</Link>由它负责：
          {named(
            modules.map(({ lsName }) => lsName),
            moduleCount,
          )}
        </li>
      )}
    </ul>
  )
}
