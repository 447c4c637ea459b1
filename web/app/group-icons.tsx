import ApiOutlined from '@ant-design/icons/ApiOutlined'
import AppstoreOutlined from '@ant-design/icons/AppstoreOutlined'
import AuditOutlined from '@ant-design/icons/AuditOutlined'
import BarChartOutlined from '@ant-design/icons/BarChartOutlined'
import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import HomeOutlined from '@ant-design/icons/HomeOutlined'
import NotificationOutlined from '@ant-design/icons/NotificationOutlined'
import ReadOutlined from '@ant-design/icons/ReadOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import TeamOutlined from '@ant-design/icons/TeamOutlined'
import UserOutlined from '@ant-design/icons/UserOutlined'
import UsergroupAddOutlined from '@ant-design/icons/UsergroupAddOutlined'
import type { ReactNode } from 'react'
import type { Screen } from '../../contract/screens.ts'

const icons: Record<Screen['group'], ReactNode> = {
  首页: <HomeOutlined />,
  成绩单: <FileTextOutlined />,
  基础配置: <SettingOutlined />,
  课程管理: <ReadOutlined />,
  审批管理: <AuditOutlined />,
  人员管理: <TeamOutlined />,
  圈子管理: <UsergroupAddOutlined />,
  新闻管理: <NotificationOutlined />,
  统计分析: <BarChartOutlined />,
  系统集成: <ApiOutlined />,
  个人中心: <UserOutlined />,
}

/** The icon of a menu group. */
export const groupIcon = (group: string): ReactNode =>
  Object.hasOwn(icons, group) ? icons[group as Screen['group']] : <AppstoreOutlined />
