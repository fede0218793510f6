import type { ToolSettingsOptions } from '../tools/compile/tool-settings.ts';
import type { SurfaceOptions } from './exposure/exposure.ts';

/** Options of a registry: how its tools are compiled and called, and how they are shown unless a surface says otherwise. */
export interface ToolRegistryOptions<TContext extends object = object>
  extends ToolSettingsOptions<TContext>, Omit<SurfaceOptions, 'policy'> {}
