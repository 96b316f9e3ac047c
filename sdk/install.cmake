# Headers, libraries, the schemas of messages, and what pkg-config and find_package(Sightline COMPONENTS c) read.
install(TARGETS sightline_c EXPORT SightlineSdkTargets COMPONENT sdk)
install(EXPORT SightlineSdkTargets NAMESPACE Sightline:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Sightline COMPONENT sdk)
install(FILES sightline.h sightline.hpp sightline_monitor.h sightline_profile.h sightline_run.h TYPE INCLUDE COMPONENT sdk)
if(TARGET sightline_c_static)
  install(FILES ${sightline_archive} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT sdk)
endif()
# A schema includes others as sightline/proto/<name>.proto: protoc -I <prefix>/share.
foreach(schema IN ITEMS landscape mindspore_event mindspore_graph mindspore_lineage tensorboard tensorboard_graph
                        tensorboard_hparams tensorboard_tensor session)
  install(FILES ${PROJECT_SOURCE_DIR}/proto/${schema}.proto DESTINATION ${CMAKE_INSTALL_DATADIR}/sightline/proto
    COMPONENT sdk)
endforeach()
# Relative to itself, so that an installed folder can be moved.
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(sightline.pc.in sightline.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sightline.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT sdk)
