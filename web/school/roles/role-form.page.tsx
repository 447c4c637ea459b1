import { Alert } from 'antd'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { quoted } from '../../../contract/core/quotes.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { dataScope, roleType } from '../../../contract/core/codes/school.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { AreaField, DictionaryField, NumberField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { notify } from '../../core/service/notice.tsx'
import { FormSection, FormPage } from '../../core/form/form-page.tsx'
import { useTab, useTabTitle } from '../../core/service/tab.ts'
import { useCall } from '../../core/service/use-call.ts'
import { RoleView } from './role-view.tsx'
import { RightsMatrix } from './rights-matrix.tsx'
import { RoleMembers } from './role-members.tsx'
import { rolePaths } from '../../shared/people/role-paths.ts'
import '../../shared/people/roles.css'

/** Adds a role, empty or as a copy of another. */
export function RoleAddPage() {
  const [query] = useSearchParams()
  return <RoleForm copyOf={query.get('copy') ?? undefined} />
}

/** Edits a role; who may not, sees it. */
export function RoleEditPage() {
  const [query] = useSearchParams()
  const srId = query.get('id') ?? ''
  const { data } = useCall(roleApi.resources, { id: srId }, { staleTime: 0 })
  return data && !data.can.includes('edit') ? <RoleView role={data} /> : <RoleForm srId={srId} />
}

function RoleForm({ srId, copyOf }: { srId?: string; copyOf?: string | undefined }) {
  const tab = useTab()
  const source = srId ?? copyOf
  const { data, error, refetch } = useCall(
    roleApi.resources,
    { id: source ?? '' },
    { enabled: source !== undefined, staleTime: 0 },
  )
  const initial = useMemo(
    () => (source === undefined ? blank : data && initialOf(data, copyOf !== undefined)),
    [source, data, copyOf],
  )
  const isBuiltIn = srId !== undefined && data?.srType === roleType.builtIn
  useTabTitle(data && `${srId ? '编辑' : '复制'}角色 · ${data.srName}`)
  return (
    <FormPage
      call={roleApi.save}
      title={
        srId
          ? `编辑角色${data ? ` · ${data.srName}` : ''}`
          : copyOf
            ? `新增角色${data ? ` · 复制自${data.srName}` : ''}`
            : '新增角色'
      }
      isLoading={source !== undefined && !data}
      reading={{ error, refetch }}
      noun="角色"
      list={rolePaths.list}
      initial={initial}
      back={rolePaths.list}
      onDone={() => {
        notify('success', '保存成功')
        tab.close(rolePaths.list)
      }}
    >
      {isBuiltIn && (
        <Alert
          className="role-note"
          type="info"
          showIcon
          title="这是内置角色，只能修改说明、排序和状态。需要不同的权限时，请在角色列表中“复制”为新角色。"
        />
      )}
      <FormSection title="基本信息">
        <TextField name="srName" span={6} disabled={isBuiltIn} />
        <TextField name="srCode" span={6} disabled={isBuiltIn} help="不填则自动生成" />
        <DictionaryField
          name="dataScope"
          type="data_scope"
          span={6}
          disabled={isBuiltIn}
          help="成员能管理的数据；除全校与本人外，须在成员管理中为每名成员设置管理范围"
        />
        <NumberField name="srSort" span={3} help="小的在前" />
        <SwitchField
          name="enable"
          span={3}
          onText="启用"
          offText="停用"
          disabled={isBuiltIn && data?.srCode === 'SCHOOL_ADMIN'}
        />
        <AreaField name="srDesc" rows={2} />
      </FormSection>
      {srId && data && (
        <FormSection title="成员" hint="点击姓名查看其权限与来源">
          <RoleMembers srId={srId} userCount={data.userCount} />
        </FormSection>
      )}
      <FormSection
        title="菜单与按钮权限"
        hint={
          <>
            勾选“打开”后，菜单中出现该页面；其余为页面上的按钮。
            <OwnRoles />
          </>
        }
      >
        <Field name="permits" label="">
          <RightsMatrix
            disabled={isBuiltIn}
            base={data?.permits}
            baseName={copyOf && data ? `角色${quoted(data.srName)}` : '已保存的内容'}
          />
        </Field>
      </FormSection>
    </FormPage>
  )
}

/** In which roles the editor acts: they bound what they can put into this one. */
function OwnRoles() {
  const { data: roles } = useCall(roleApi.ownRoles, {}, { staleTime: 300_000 })
  return roles && roles.length > 0 ? (
    <>您的角色是{roles.map(({ srName }) => srName).join('、')}，只能放入您在全校范围内拥有的权限。</>
  ) : null
}

type Role = { srName: string; srCode: string; permits: string[] }

const blank = { permits: [], dataScope: dataScope.self, enable: enableStatus.enabled, srSort: 100 }

function initialOf(role: Role, isCopy: boolean): Record<string, unknown> {
  return isCopy
    ? {
        ...role,
        srId: undefined,
        version: undefined,
        srCode: undefined,
        srType: undefined,
        srName: `${role.srName.slice(0, 24)}（副本）`,
      }
    : { ...role }
}
